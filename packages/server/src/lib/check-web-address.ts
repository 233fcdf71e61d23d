import { validationFailed } from './errors/api-error.ts';

/** Throws the 400 unless people can follow the address, and see where it leads. */
export function checkWebAddress(name: string, address: string): URL {
  if (!URL.canParse(address)) throw validationFailed([`${name} must be a URL address`]);
  const url = new URL(address);
  if (url.username || url.password) {
    throw validationFailed([`${name} must not contain a user name or password`]);
  }
  return url;
}
