const names = { baseUrl: 'service URL', apiKey: 'API key', secretKey: 'secret key' } as const;

/** Replaces the options that messages of the SDK name by the words of the CLI. */
export function nameSdkOptions(message: string): string {
  return message.replaceAll(
    /\b(baseUrl|apiKey|secretKey)\b/g,
    (_option, name: keyof typeof names, offset: number) => `${offset === 0 ? 'The' : 'the'} ${names[name]}`,
  );
}
