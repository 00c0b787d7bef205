// Something of the program's that is destroyed when nobody holds it any more (cudaUserObject).
#pragma once

namespace apod::runtime {

struct UserObject {
    UserObject(void* held, void (*destroyer)(void*), unsigned holders) : data(held), destroy(destroyer), count(holders) {}

    void retain(unsigned more) { count += more; }

    // False where so many are not held. The last release destroys the object.
    bool release(unsigned fewer) {
        if (fewer == 0 || fewer > count) return false;
        count -= fewer;
        if (count != 0) return true;
        destroy(data);
        delete this;
        return true;
    }

    void* data;
    void (*destroy)(void*);
    unsigned count;
};

} // namespace apod::runtime
