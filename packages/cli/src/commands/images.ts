import type { UploadedImage } from '@keyfront/sdk';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { type ConnectionOptions, openClient } from '../create-client.ts';
import { readFileOrStdin } from '../read-file-or-stdin.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { toPlainText } from '../terminal/style.ts';
import { withConnection, withDescription, withExamples, withJson } from './shared-options.ts';

interface UploadOptions extends ConnectionOptions {
  readonly json?: true;
}

/** `keyfront images upload`: stores images for the catalogue. */
export function addImages(program: Command, context: Context): void {
  const images = program.command('images');
  withDescription(
    images,
    'Upload images for the catalogue',
    'These commands need the profile of an administrator.',
  );
  const upload = images
    .command('upload')
    .argument('<file...>', 'PNG, JPEG or WebP files of at most 5 MB, - for standard input')
    .action((files: string[], options: UploadOptions) => uploadImages(context, files, options));
  withDescription(
    upload,
    'Upload images and print their URLs',
    'Only the pixels of an image are kept, without its metadata. Use a URL as imageUrl of a planet or a strain.',
  );
  withJson(upload);
  withConnection(upload, context);
  const example = 'keyfront images upload lunar-saffron.jpg --profile admin';
  withExamples(images, context, example);
  withExamples(
    upload,
    context,
    example,
    'keyfront patch /admin/planets/… -f imageUrl="$(keyfront images upload verdane.png --profile admin)" --profile admin',
  );
}

async function uploadImages(
  context: Context,
  files: readonly string[],
  options: UploadOptions,
): Promise<void> {
  const keyfront = await openClient(context, options);
  const uploaded: UploadedImage[] = [];
  // One after the other: the service decodes one image of a caller at a time.
  for (const file of files) {
    const image = await keyfront.admin.images.upload(await readFileOrStdin(context, file), {
      signal: context.signal,
    });
    uploaded.push(image);
    if (!options.json) context.stdout.write(`${toPlainText(image.imageUrl)}\n`);
  }
  if (options.json) context.stdout.write(`${compactJson(uploaded)}\n`);
}
