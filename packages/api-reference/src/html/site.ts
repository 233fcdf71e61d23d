import type { Reference } from '../openapi/reference.ts';
import type { GuideSection, Topic } from '../site/site-options.ts';
import type { PagesBySource, SitePaths } from './page-links.ts';

/** Everything that the pages of a site know of each other. */
export interface Site {
  readonly paths: SitePaths;
  readonly reference: Reference;
  readonly topics: readonly Topic[];
  readonly sections: readonly GuideSection[];
  readonly pagesBySource: PagesBySource;
  /** The address of the explanation of each code, such as an error code. */
  readonly codes: ReadonlyMap<string, string>;
  /** The folder of the style sheet and the scripts, from the root of the service. */
  readonly assets: string;
}

/** The file that the links of topics start from: one beside the overview. */
export const topicSource = ({ home }: SitePaths): string => `${home}/topics.md`;
