// Delivers standard input within 6,000 characters, page after page.
//
//   c++ -std=c++17 deliver.cpp $(pkg-config --cflags --libs haversack) -o deliver
#include <haversack.hpp>

#include <iostream>
#include <iterator>

int main() {
    const std::string payload(std::istreambuf_iterator<char>(std::cin), {});
    haversack::DeliverOptions options;
    try {
        for (;;) {
            const auto page = haversack::deliver(payload, haversack::Budget::chars(6000), options);
            std::cout << page.text() << '\n';
            if (!page.next()) {
                std::cerr << page.account().records.total << " records in all\n";
                return 0;
            }
            options.cursor(std::string(*page.next()));
        }
    } catch (const haversack::Error &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
