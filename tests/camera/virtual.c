/*
 * Preloaded by run.sh, for two things that a machine without a camera lacks.
 *
 * libcamera's virtual pipeline and picamera2 want their buffers from the kernel's dma-heaps or udmabuf. Here a buffer
 * is an anonymous file: it has the same pages for everybody, and can be mapped.
 *
 * That pipeline (libcamera 0.4) never says whether a frame is good, so what stands there is chance, and picamera2 drops
 * frames that are not. Here new memory begins as zeros, which means that they are.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

void *malloc(size_t size)
{
	return calloc(1, size);
}

static int is_ours(const char *path)
{
	return path && (!strcmp(path, "/dev/udmabuf") || !strncmp(path, "/dev/dma_heap/", strlen("/dev/dma_heap/")));
}

static int anonymous(void)
{
	return memfd_create("buffer", MFD_CLOEXEC);
}

/* The four ways to open a file differ in their names and in a folder that comes first. */
#define OPENS(name, first, pass)                                                                                      \
	int name(first const char *path, int flags, ...)                                                              \
	{                                                                                                             \
		static int (*real)(first const char *, int, ...);                                                     \
		mode_t mode = 0;                                                                                      \
		va_list more;                                                                                         \
                                                                                                                      \
		if (is_ours(path))                                                                                    \
			return anonymous();                                                                           \
		if (!real)                                                                                            \
			real = (int (*)(first const char *, int, ...))dlsym(RTLD_NEXT, #name);                        \
		va_start(more, flags);                                                                                \
		if (flags & (O_CREAT | O_TMPFILE))                                                                    \
			mode = va_arg(more, mode_t);                                                                  \
		va_end(more);                                                                                         \
		return real(pass path, flags, mode);                                                                  \
	}
#define NOTHING
#define FOLDER int folder,
#define ITS_FOLDER folder,
OPENS(open, NOTHING, NOTHING)
OPENS(open64, NOTHING, NOTHING)
OPENS(openat, FOLDER, ITS_FOLDER)
OPENS(openat64, FOLDER, ITS_FOLDER)

static int allocate(struct dma_heap_allocation_data *wanted)
{
	int buffer = anonymous();

	if (buffer < 0 || ftruncate(buffer, wanted->len))
		return -1;
	wanted->fd = buffer;
	return 0;
}

int ioctl(int file, unsigned long request, ...)
{
	static int (*real)(int, unsigned long, ...);
	va_list more;
	void *argument;
	int result;

	va_start(more, request);
	argument = va_arg(more, void *);
	va_end(more);
	if ((unsigned int)request == (unsigned int)UDMABUF_CREATE)
		return fcntl(((struct udmabuf_create *)argument)->memfd, F_DUPFD_CLOEXEC, 0);
	if ((unsigned int)request == (unsigned int)DMA_HEAP_IOCTL_ALLOC)
		return allocate(argument);
	if (!real)
		real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
	result = real(file, request, argument);
	/* Names and cache hints of a dma-buf mean nothing to an anonymous file. */
	if (result < 0 && errno == ENOTTY && _IOC_TYPE((unsigned int)request) == DMA_BUF_BASE)
		return 0;
	return result;
}
