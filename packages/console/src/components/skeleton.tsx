import classes from './skeleton.module.css';

interface SkeletonProps {
  readonly height: number;
  /** In pixels, or a share such as `70%`. All of the room unless told. */
  readonly width?: number | string;
  readonly component?: 'div' | 'li';
}

/** Takes the room of something that is loaded. */
export function Skeleton({ height, width = '100%', component: Element = 'div' }: SkeletonProps) {
  return <Element className={classes.skeleton} style={{ height, width }} />;
}
