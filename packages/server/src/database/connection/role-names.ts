/** The role for holders. Row-level security limits it to the current scope. */
export const serviceRole = 'keyfront_service';
/** The role for administrators and jobs. Its policies allow the rows of all scopes. */
export const platformRole = 'keyfront_platform';
