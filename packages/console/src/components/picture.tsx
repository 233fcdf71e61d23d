import { imagePath } from '../format/image-path.ts';
import classes from './picture.module.css';

interface PictureProps {
  readonly imageUrl: string | null;
  /** Empty if the name stands beside it. */
  readonly alt: string;
  readonly size: number;
}

/** A square picture of the catalogue, or an empty square of the same size. */
export function Picture({ imageUrl, alt, size }: PictureProps) {
  const path = imagePath(imageUrl);
  if (path === null) return <span className={classes.empty} style={{ width: size, height: size }} />;
  return (
    <img
      src={path}
      alt={alt}
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      className={classes.picture}
    />
  );
}
