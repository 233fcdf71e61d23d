export { type FileStore, FileStoreUnavailable } from './file-store.ts';
export { createFolderStore, tryFolder } from './folder-store.ts';
export { createS3Store, type S3Settings } from './s3-store.ts';
