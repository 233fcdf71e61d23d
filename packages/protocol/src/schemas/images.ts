import { type Static, Type } from 'typebox';
import { StringEnum } from './values.ts';

/** The types of images that are stored. What is uploaded stays of its type. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/** 5 MiB. */
export const largestImageBytes = 5 * 1024 * 1024;

export const UploadedImage = Type.Object(
  {
    imageUrl: Type.String({
      format: 'uri',
      description: 'URL of the stored image. It is named after its content, which never changes.',
      examples: [`https://api.shop.example/images/${'5c'.repeat(32)}.webp`],
    }),
    contentType: StringEnum(imageTypes, { description: 'Type of the stored image' }),
    width: Type.Integer({ minimum: 1, description: 'Width in pixels', examples: [1200] }),
    height: Type.Integer({ minimum: 1, description: 'Height in pixels', examples: [900] }),
    sizeBytes: Type.Integer({ minimum: 1, description: 'Size of the stored image', examples: [182_044] }),
  },
  { title: 'UploadedImage', description: 'An image that the service stores' },
);
export type UploadedImage = Static<typeof UploadedImage>;
