/** The schema of graphile-worker. Another application in the same database may use its default. */
export const queueSchema = 'keyfront_queue';
/** How many connections a process opens for the queue, beside those of the database. One listens for jobs. */
export const queuePoolSize = 4;
