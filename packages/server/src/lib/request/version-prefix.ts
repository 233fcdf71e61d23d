/** Every operation is served below this path. */
export const versionPrefix = '/api/v1';
