import type { StrainListQuery } from '@keyfront/sdk';
import { Fragment } from 'react';
import { Form, Link, useSubmit } from 'react-router';
import { formatPrice } from '../format.ts';
import { keyfront, pictureUrl, read } from '../keyfront.server.ts';
import { getCountry, getSession } from '../session.server.ts';
import type { Route } from './+types/catalogue';

const pageSize = 12;

/** The order of the catalogue, by the names of `orderBy`. */
const sortings = {
  'name:asc': 'Name',
  'retailPrice:asc': 'Price, lowest first',
  'retailPrice:desc': 'Price, highest first',
  'thc:desc': 'THC, strongest first',
  'createdAt:desc': 'Newest first',
} as const satisfies Partial<Record<NonNullable<StrainListQuery['orderBy']>, string>>;

/** The facets that customers choose from, by the names of the query. */
const facetTitles = {
  type: 'Type',
  feelings: 'Feels',
  helpsWith: 'Helps with',
  flavour: 'Tastes of',
} as const;
type Facet = keyof typeof facetTitles;
const facetNames = Object.keys(facetTitles) as Facet[];
const shownValues = 8;

const isSorting = (name: string): name is keyof typeof sortings => Object.hasOwn(sortings, name);

export const meta: Route.MetaFunction = () => [{ title: 'Catalogue' }];

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const search = (searchParams.get('search') ?? '').slice(0, 100);
  const sorting = searchParams.get('sort') ?? '';
  const orderBy = isSorting(sorting) ? sorting : 'name:asc';
  const page = Math.min(Math.max(Number.parseInt(searchParams.get('page') ?? '', 10) || 1, 1), 1000);
  const chosen = Object.fromEntries(facetNames.map((name) => [name, searchParams.getAll(name)])) as Record<
    Facet,
    string[]
  >;
  const filters = Object.fromEntries(
    facetNames.filter((name) => chosen[name].length > 0).map((name) => [name, chosen[name].join(',')]),
  );
  const countryCode = getCountry(await getSession(request));
  const result = await read(
    keyfront.strains.list({
      ...filters,
      ...(search && { search }),
      ...{ countryCode, orderBy, page, take: pageSize, facets: 'true' },
    }),
  );
  return {
    search,
    orderBy,
    page,
    count: result.pageMetaDto.itemCount,
    strains: result.strains.map(
      ({ id, name, type, thc, cbd, retailPrice, currency, isAvailable, imageUrl, planet }) => ({
        ...{ id, name, type, thc, cbd, isAvailable, planet: planet.name },
        price: formatPrice(retailPrice, currency),
        picture: pictureUrl(imageUrl),
      }),
    ),
    facets: facetNames.map((name) => ({
      ...{ name, title: facetTitles[name] },
      values: listValues(result.facets?.[name] ?? [], chosen[name]),
    })),
  };
}

/** The most frequent values, and those that are chosen, so that a choice can always be taken back. */
function listValues(values: readonly { value: string; count: number }[], chosen: readonly string[]) {
  const isChosen = (value: string) => chosen.includes(value);
  const shown = values.filter(({ value }, place) => place < shownValues || isChosen(value));
  const gone = chosen.filter((value) => !values.some((each) => each.value === value));
  return [...shown, ...gone.map((value) => ({ value, count: 0 }))].map(({ value, count }) => ({
    ...{ value, count, isChosen: isChosen(value) },
  }));
}

export default function Catalogue({ loaderData }: Route.ComponentProps) {
  const { strains, count, page, search, orderBy, facets } = loaderData;
  const submit = useSubmit();
  const chosenCount = facets.flatMap(({ values }) => values).filter(({ isChosen }) => isChosen).length;
  return (
    <div className="catalogue">
      <h1>Catalogue</h1>
      {/* Without JavaScript the button sends it. */}
      <Form
        className="filters"
        role="search"
        onChange={(event) => {
          const isText = event.target instanceof HTMLInputElement && event.target.type === 'search';
          if (!isText) void submit(event.currentTarget, { preventScrollReset: true });
        }}
      >
        <label htmlFor="search">Search</label>
        <input key={search} id="search" type="search" name="search" defaultValue={search} maxLength={100} />
        {/* Folded where the screen is narrow: the goods come first. It has no key, so it stays open while people choose. */}
        <details className="choices">
          <summary>Sort and filter{chosenCount > 0 ? ` (${chosenCount})` : ''}</summary>
          <Fragment key={JSON.stringify([orderBy, facets])}>
            <label htmlFor="sort">Sort by</label>
            <select id="sort" name="sort" defaultValue={orderBy}>
              {Object.entries(sortings).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
            {facets.map(({ name, title, values }) => (
              <details key={name} open={name === 'type' || values.some(({ isChosen }) => isChosen)}>
                <summary>{title}</summary>
                {values.map(({ value, count, isChosen }) => (
                  <label key={value} className="choice">
                    <input type="checkbox" name={name} value={value} defaultChecked={isChosen} />
                    <span>{value.toLowerCase()}</span> <span className="count">{count}</span>
                  </label>
                ))}
              </details>
            ))}
          </Fragment>
        </details>
        <button type="submit">Show</button>
        <Link to="/">Clear</Link>
      </Form>
      <section className="results" aria-label="Strains">
        <p role="status">{count === 1 ? '1 strain' : `${count} strains`}</p>
        <ul className="cards">
          {strains.map(({ id, name, type, thc, cbd, price, picture, isAvailable, planet }) => (
            <li key={id} className="card">
              {picture && <img src={picture} alt="" width="320" height="320" loading="lazy" />}
              <h2>
                <Link to={`/strains/${id}`}>{name}</Link>
              </h2>
              <p className="muted">
                {type.toLowerCase()} from {planet} · THC {thc} % · CBD {cbd} %
              </p>
              <p className="price">{isAvailable ? price : 'Sold out'}</p>
            </li>
          ))}
        </ul>
        {count === 0 && <p>Nothing matches. Take a filter away, or choose another country.</p>}
        <Pages page={page} pageCount={Math.ceil(count / pageSize)} loaderData={loaderData} />
      </section>
    </div>
  );
}

type Filters = Pick<Route.ComponentProps['loaderData'], 'search' | 'orderBy' | 'facets'>;

function Pages({ page, pageCount, loaderData }: { page: number; pageCount: number; loaderData: Filters }) {
  if (pageCount <= 1) return null;
  const linkTo = (target: number) => {
    const query = new URLSearchParams({ search: loaderData.search, sort: loaderData.orderBy });
    for (const { name, values } of loaderData.facets)
      for (const { value, isChosen } of values) if (isChosen) query.append(name, value);
    query.append('page', String(target));
    return `/?${query}`;
  };
  return (
    <nav className="pages" aria-label="Pages">
      {page > 1 && <Link to={linkTo(page - 1)}>Previous</Link>}
      <span>
        Page {page} of {pageCount}
      </span>
      {page < pageCount && <Link to={linkTo(page + 1)}>Next</Link>}
    </nav>
  );
}
