import type { NewStrain, StrainImage } from '@keyfront/protocol';
import { validationFailed } from '../../lib/errors/api-error.ts';
import type { ImageUrls } from '../images/image-urls.ts';

/** The images of a strain as its row has them. */
export interface ImageFields {
  /** Of the first image. */
  readonly imageUrl: string | null;
  /** Null: the name of the strain. */
  readonly imageAlt: string | null;
  /** Those behind the first. */
  readonly moreImages: readonly StrainImage[];
}

export const noImages: ImageFields = { imageUrl: null, imageAlt: null, moreImages: [] };

/** Lists all images of a strain. */
export function listImages({
  name,
  imageUrl,
  imageAlt,
  moreImages,
}: ImageFields & { name: string }): StrainImage[] {
  return imageUrl === null ? [] : [{ strainImageUrl: imageUrl, altText: imageAlt ?? name }, ...moreImages];
}

interface ImageChange {
  readonly imageUrl: NewStrain['imageUrl'] | undefined;
  readonly strainImages: NewStrain['strainImages'] | undefined;
}

/** Applies a change: `strainImages` replaces all images, `imageUrl` the first one. */
export function changeImages(
  before: ImageFields & { readonly name: string },
  { imageUrl, strainImages }: ImageChange,
  imageUrls: ImageUrls,
): ImageFields {
  if (strainImages !== undefined) {
    const [first] = strainImages;
    if (imageUrl !== undefined && imageUrl !== (first?.strainImageUrl ?? null)) {
      throw validationFailed(['imageUrl must be the URL of the first of strainImages']);
    }
    const images = strainImages.map(({ strainImageUrl, altText }) => ({
      strainImageUrl: imageUrls.store(strainImageUrl),
      altText: altText ?? before.name,
    }));
    return fromList(images);
  }
  if (imageUrl === undefined) return before;
  if (imageUrl === null) return fromList(before.moreImages);
  return { imageUrl: imageUrls.store(imageUrl), imageAlt: null, moreImages: before.moreImages };
}

function fromList([first, ...moreImages]: readonly StrainImage[]): ImageFields {
  return first ? { imageUrl: first.strainImageUrl, imageAlt: first.altText, moreImages } : noImages;
}
