import { Form } from 'react-router';
import { formatPrice, splitWords } from '../format.ts';
import { keyfront, pictureUrl, read } from '../keyfront.server.ts';
import { getCountry, getSession } from '../session.server.ts';
import type { Route } from './+types/product';

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData?.strain.name ?? 'Not found' },
];

export async function loader({ request, params }: Route.LoaderArgs) {
  const countryCode = getCountry(await getSession(request));
  const strain = await read(keyfront.strains.get(params.strainId, { countryCode }));
  const location = strain.strainLocations.find((each) => each.location.countryCode === countryCode);
  const { id, name, description, type, thc, cbd, planet } = strain;
  return {
    strain: {
      ...{ id, name, description, type, thc, cbd, planet: planet.name },
      feelings: splitWords(strain.feelings),
      helpsWith: splitWords(strain.helpsWith),
      flavour: splitWords(strain.flavour),
      picture: pictureUrl(strain.imageUrl),
      pictureText: strain.strainImages[0]?.altText || name,
    },
    /** Null: not sold in this country. */
    offer: location && {
      price: formatPrice(location.retailPrice, location.currency),
      stock: location.isAvailable ? location.stockQuantity : 0,
    },
  };
}

export default function Product({ loaderData: { strain, offer } }: Route.ComponentProps) {
  return (
    <article className="product">
      {strain.picture && <img src={strain.picture} alt={strain.pictureText} width="480" height="480" />}
      <div>
        <h1>{strain.name}</h1>
        <p>{strain.description}</p>
        <Offer offer={offer} strainId={strain.id} />
        <dl className="facts">
          <dt>Type</dt>
          <dd>
            {strain.type.toLowerCase()} from {strain.planet}
          </dd>
          <dt>Contents</dt>
          <dd>
            THC {strain.thc} %, CBD {strain.cbd} %
          </dd>
          <dt>Feels</dt>
          <dd>{strain.feelings.join(', ')}</dd>
          <dt>Helps with</dt>
          <dd>{strain.helpsWith.join(', ')}</dd>
          <dt>Tastes of</dt>
          <dd>{strain.flavour.join(', ')}</dd>
        </dl>
      </div>
    </article>
  );
}

type OfferProps = Pick<Route.ComponentProps['loaderData'], 'offer'> & { strainId: string };

function Offer({ offer, strainId }: OfferProps) {
  if (!offer) return <p className="price">Not sold in your country</p>;
  if (offer.stock === 0) return <p className="price">Sold out</p>;
  return (
    <>
      <p>
        <span className="price">{offer.price}</span> <span className="muted">{offer.stock} left</span>
      </p>
      <Form method="post" action="/cart" className="row">
        <input type="hidden" name="intent" value="add" />
        <input type="hidden" name="strainId" value={strainId} />
        <label htmlFor="quantity">Quantity</label>
        <input
          id="quantity"
          type="number"
          name="quantity"
          defaultValue={1}
          min={1}
          max={Math.min(offer.stock, 99)}
          required
        />
        <button type="submit" className="primary">
          Add to cart
        </button>
      </Form>
    </>
  );
}
