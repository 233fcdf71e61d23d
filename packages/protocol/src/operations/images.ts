import { defineOperations } from '../operation.ts';
import { imageTypes, largestImageBytes, UploadedImage } from '../schemas/images.ts';

export const imageOperations = defineOperations({
  uploadImage: {
    method: 'POST',
    path: '/admin/images',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.images.upload',
    summary: 'Upload an image',
    description:
      'Stores a PNG, JPEG or WebP image of at most 5 MB for the catalogue. The body is the file itself. Its type is read from its ' +
      'content, not from `Content-Type`. The image is decoded and encoded again, so nothing but its pixels is kept: no metadata, no ' +
      'location, no comments. An image with more than 2,048 pixels on a side is made smaller. Use `imageUrl` of the response in ' +
      'a planet or a strain.',
    status: 201,
    // An image is named after its content, so a second attempt stores the same one.
    retry: 'safe',
    upload: {
      contentTypes: [...imageTypes, 'application/octet-stream'],
      maxBytes: largestImageBytes,
      description: 'The image file',
    },
    response: UploadedImage,
    errors: [
      'IMAGE_TYPE_REFUSED',
      'IMAGE_INVALID',
      'IMAGE_ANIMATED',
      'IMAGE_TOO_MANY_PIXELS',
      'IMAGE_TOO_SLOW',
      'IMAGE_STORAGE_MISSING',
    ],
    roundTrips: 0,
    example: {
      response: {
        imageUrl: `https://api.shop.example/images/${'5c'.repeat(32)}.webp`,
        contentType: 'image/webp',
        width: 1200,
        height: 900,
        sizeBytes: 182_044,
      },
    },
  },
});
