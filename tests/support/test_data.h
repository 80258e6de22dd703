// Where the test data lies: LIMBER_TEST_DATA, or the default beside the project.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace limber::tests {

// Empty where the machine does not have the file (or folder): the test is then skipped by name.
inline std::filesystem::path dataFile(const std::string& name) {
    const char* folder = std::getenv("LIMBER_TEST_DATA");
    const std::filesystem::path path = std::filesystem::path(folder ? folder : LIMBER_DEFAULT_TEST_DATA) / name;
    std::error_code error;
    const auto real = std::filesystem::canonical(path, error);
    return error ? std::filesystem::path() : real;
}

} // namespace limber::tests
