#include <stdio.h>
#include <string.h>

struct device {
    char name[32];
    int id;
};

void device_rename(struct device *device, const char *name)
{
    strncpy(device->name, name, sizeof(device->name));
    printf("device %d is now %s\n", device->id, device->name);
}
