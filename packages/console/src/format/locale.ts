/** The language of all dates, numbers and names: that of the sentences around them, whatever the browser's is. */
export const locale = 'en-GB';
