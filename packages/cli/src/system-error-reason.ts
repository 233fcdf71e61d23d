const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  ENOTDIR: 'part of the path is not a directory',
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is too large',
  EIO: 'input/output error',
  EROFS: 'the file system is read-only',
};

/** What went wrong in a system call. Node's own messages begin with an error code and end with the name of the call. */
export function systemErrorReason(error: Error): string {
  return ('code' in error ? reasons[String(error.code)] : undefined) ?? error.message;
}
