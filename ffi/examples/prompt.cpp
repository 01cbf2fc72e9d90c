// Compares a request with the one before it: which piece breaks the cache, where, why, and what it costs.
//
//   c++ -std=c++17 prompt.cpp $(pkg-config --cflags --libs haversack) -o prompt
//   ./prompt previous.json next.json [RULES]
//
// RULES are cache rules by name, such as vllm; without them those of the request's format and model.
#include <haversack.hpp>

#include <fstream>
#include <iostream>
#include <iterator>

namespace {

std::string read_all(const char *path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw std::runtime_error(std::string("cannot read ") + path);
    }
    return std::string(std::istreambuf_iterator<char>(file), {});
}

haversack::Snapshot take(const std::string &body) { return haversack::Prompt::from_request(body).snapshot(); }

} // namespace

int main(int argc, char **argv) {
    if (argc < 3) {
        std::cerr << "usage: " << argv[0] << " previous.json next.json [RULES]\n";
        return 2;
    }
    try {
        const std::string previous = read_all(argv[1]), next = read_all(argv[2]);
        const auto comparison = haversack::compare(take(previous), take(next));
        std::cout << name(comparison.verdict()) << ": " << comparison.kept_bytes() << " bytes kept, " << comparison.lost_bytes()
                  << " lost\n";
        for (const auto &change : comparison.changes()) {
            std::cout << change.piece << " at byte " << change.at_byte.value_or(0) << ": " << name(change.cause) << '\n';
        }
        haversack::PredictOptions options;
        if (argc > 3) {
            options.rules = argv[3];
        }
        const auto p = haversack::predict(previous, next, "estimate", options);
        std::cout << p.rules << ", " << name(p.reason) << ": " << p.cached << " tokens cached, " << p.written << " written, "
                  << p.fresh << " fresh\n";
        return 0;
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
