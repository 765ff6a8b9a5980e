/*
 * Preloaded into a gateway: writes down, in order, everything that is written to the files of one directory and every
 * sync of them, so that the files can be put together again as a power cut might have left them.
 *
 * A record: 4 bytes kind, 4 bytes file (a number that the file's own record 'F' gives it), 8 bytes place, 4 bytes length,
 * then so many bytes. 'W' writes at a place; 'T' sets the size to it; 'U' takes the file away; 'S' is a sync that covers
 * the records before the one with this number. A write is written down before it is done, a sync after: what counts as
 * synced is on the disk.
 *
 * CUT_DIRECTORY: the directory, with a slash at its end. CUT_LOG: the log.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_FILES 64
static char names[MAX_FILES][PATH_MAX];
static int name_count = 0;
static int log_descriptor = -1;
static uint64_t records = 0;
static const char *directory = NULL;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite64)(int, const void *, size_t, off64_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwritev)(int, const struct iovec *, int, off_t);
static int (*real_ftruncate64)(int, off64_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_unlink)(const char *);

__attribute__((constructor)) static void begin(void) {
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite64 = dlsym(RTLD_NEXT, "pwrite64");
  real_writev = dlsym(RTLD_NEXT, "writev");
  real_pwritev = dlsym(RTLD_NEXT, "pwritev");
  real_ftruncate64 = dlsym(RTLD_NEXT, "ftruncate64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  directory = getenv("CUT_DIRECTORY");
  const char *log = getenv("CUT_LOG");
  if (directory && log) log_descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

struct head {
  char kind[4];
  uint32_t file;
  uint64_t place;
  uint32_t length;
} __attribute__((packed));

static void record(char kind, uint32_t file, uint64_t place, const void *bytes, size_t length) {
  struct head head = {{kind, 0, 0, 0}, file, place, (uint32_t)length};
  char *all = malloc(sizeof head + length);
  if (!all) abort();
  memcpy(all, &head, sizeof head);
  if (length > 0) memcpy(all + sizeof head, bytes, length);
  size_t size = sizeof head + length;
  /* One call for one record: a reader of the log's size never sees half of one. */
  if (real_write(log_descriptor, all, size) != (ssize_t)size) abort();
  free(all);
  records++;
}

/* The number of a watched file, or -1. Called under the lock. */
static int watched(int descriptor) {
  if (log_descriptor < 0 || descriptor <= 2 || descriptor == log_descriptor) return -1;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return -1;
  path[length] = 0;
  if (strncmp(path, directory, strlen(directory)) != 0) return -1;
  for (int file = 0; file < name_count; file++)
    if (strcmp(names[file], path) == 0) return file;
  if (name_count == MAX_FILES) abort();
  strcpy(names[name_count], path);
  record('F', (uint32_t)name_count, 0, path, strlen(path));
  return name_count++;
}

/* A write of an unknown kind would leave the log wrong: better to stop than to prove nothing. */
static void never(const char *what) {
  fprintf(stderr, "power-cut shim: %s on a watched file is not written down\n", what);
  abort();
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
  int saved = errno;
  pthread_mutex_lock(&lock);
  int file = watched(descriptor);
  if (file >= 0) record('W', (uint32_t)file, (uint64_t)offset, bytes, length);
  pthread_mutex_unlock(&lock);
  errno = saved;
  return real_pwrite64(descriptor, bytes, length, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
  return pwrite64(descriptor, bytes, length, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  int saved = errno;
  pthread_mutex_lock(&lock);
  int file = watched(descriptor);
  if (file >= 0) {
    off_t at = lseek(descriptor, 0, fcntl(descriptor, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
    record('W', (uint32_t)file, (uint64_t)at, bytes, length);
  }
  pthread_mutex_unlock(&lock);
  errno = saved;
  return real_write(descriptor, bytes, length);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  int saved = errno;
  pthread_mutex_lock(&lock);
  if (watched(descriptor) >= 0) never("writev");
  pthread_mutex_unlock(&lock);
  errno = saved;
  return real_writev(descriptor, parts, count);
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
  int saved = errno;
  pthread_mutex_lock(&lock);
  if (watched(descriptor) >= 0) never("pwritev");
  pthread_mutex_unlock(&lock);
  errno = saved;
  return real_pwritev(descriptor, parts, count, offset);
}

int ftruncate64(int descriptor, off64_t size) {
  int saved = errno;
  pthread_mutex_lock(&lock);
  int file = watched(descriptor);
  if (file >= 0) record('T', (uint32_t)file, (uint64_t)size, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = saved;
  return real_ftruncate64(descriptor, size);
}

int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }

static int synced(int descriptor, int (*sync_file)(int)) {
  pthread_mutex_lock(&lock);
  uint64_t covered = records;
  pthread_mutex_unlock(&lock);
  int result = sync_file(descriptor);
  int saved = errno;
  if (result == 0) {
    pthread_mutex_lock(&lock);
    int file = watched(descriptor);
    if (file >= 0) record('S', (uint32_t)file, covered, NULL, 0);
    pthread_mutex_unlock(&lock);
  }
  errno = saved;
  return result;
}

int fsync(int descriptor) { return synced(descriptor, real_fsync); }
int fdatasync(int descriptor) { return synced(descriptor, real_fdatasync); }

int unlink(const char *path) {
  int saved = errno;
  pthread_mutex_lock(&lock);
  for (int file = 0; file < name_count; file++)
    if (strcmp(names[file], path) == 0) record('U', (uint32_t)file, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  errno = saved;
  return real_unlink(path);
}
