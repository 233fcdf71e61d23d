import type { AsyncRouteComponent } from '@tanstack/react-router';
import { type ComponentType, use } from 'react';
import { PageNotLoaded } from '../components/page-not-loaded.ts';

/**
 * A page that is loaded when it is first shown. One that could not be loaded is asked for again the next time. The function of the
 * router would load the whole document again, and leave nothing of the console where the service cannot be reached.
 */
export function lazyPage<Module>(
  load: () => Promise<Module>,
  // Not that this is a component: pages take their types from the router, which would then take them from the pages.
  name: keyof Module,
): AsyncRouteComponent<object> {
  let Page: ComponentType | null = null;
  let failure: PageNotLoaded | null = null;
  let loading: Promise<void> | null = null;
  const preload = (): Promise<void> => {
    if (Page) return Promise.resolve();
    failure = null;
    // Resolves in any case: a page that was only about to be shown may fail without anybody noticing.
    loading ??= load()
      .then(
        (module) => {
          Page = module[name] as ComponentType;
        },
        (error: unknown) => {
          failure = new PageNotLoaded(error);
        },
      )
      .finally(() => {
        loading = null;
      });
    return loading;
  };
  const LazyPage = () => {
    if (failure) throw failure;
    if (!Page) use(preload());
    return Page && <Page />;
  };
  return Object.assign(LazyPage, { preload });
}
