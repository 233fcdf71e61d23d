/** The role for holders. Row-level security limits it to the current scope. */
export const holderRole = 'keyfront_service';
/** The role for administrators and jobs. Its policies allow the rows of all scopes. */
export const adminRole = 'keyfront_platform';
