// Checks a chat history on standard input, repairs it, and cuts it to a number of characters of JSON.
//
//   c++ -std=c++17 history.cpp $(pkg-config --cflags --libs haversack) -o history
//   ./history 6000 < request.json
#include <haversack.hpp>

#include <cstdlib>
#include <iostream>
#include <iterator>

int main(int argc, char **argv) {
    const std::string text(std::istreambuf_iterator<char>(std::cin), {});
    const auto keep = haversack::Budget::chars(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 6000);
    try {
        const haversack::History history(text);
        for (const auto &v : history.violations(true)) {
            std::cerr << "message " << v.index << ", " << name(v.kind) << ": " << v.message << '\n';
        }
        haversack::RepairOptions sending;
        sending.sending = true;
        const auto repair = history.repair(sending);
        const haversack::History repaired(repair.text());
        const auto cut = repaired.cut(keep);
        std::cerr << (cut.found() ? cut.reason() : name(cut.nothing())) << '\n';
        std::cout << (cut.found() ? cut.text() : repaired.text()) << '\n';
        return 0;
    } catch (const haversack::Error &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
