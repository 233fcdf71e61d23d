import sharp, { type Sharp } from 'sharp';

/** A small picture with a gradient, so that formats have something to compress. */
export function samplePicture(width = 64, height = 48): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at++) pixels[at] = (at * 7 + Math.floor(at / width)) % 256;
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

export const samplePng = (): Promise<Buffer> => samplePicture().png().toBuffer();
