// The first formatter of a process reads the data of the language, for a tenth of a second on a phone. Here this happens beside the
// thread of the page, which shares what was read.
import { locale } from './locale.ts';

new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).format(0);
new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(0);
close();
