export { type ArchivedFile, readArchive } from './archive-file.ts';
export { describeMonthError, readMonth } from './archive-month.ts';
export { type ArchiveSource, archiveOrders, type OrderAtRest, type TokenMonth } from './archive-orders.ts';
export { type ArchiveToErase, type ErasureSource, eraseArchives } from './erase-archives.ts';
export { type ArchiveSpan, mergeArchives, type Place, type Window } from './merge-archives.ts';
