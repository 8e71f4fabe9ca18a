#include <stdio.h>

long count_lines(FILE *stream)
{
    long lines = 0;
    int character;

    while ((character = fgetc(stream)) != EOF) {
        if (character == '\n')
            lines++;
    }
    return lines;
}
