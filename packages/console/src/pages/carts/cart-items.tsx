import type { CartItem } from '@keyfront/sdk';
import { StatusBadge } from '../../components/status-badge.tsx';
import { texts } from '../../texts/carts.ts';
import classes from './cart-items.module.css';

/** So many are shown. The rest unfolds. */
const shownItems = 3;

/** What is in a cart, and what of it cannot be ordered as it is. */
export function CartItems({ items }: { readonly items: readonly CartItem[] }) {
  const [shown, rest] = [items.slice(0, shownItems), items.slice(shownItems)];
  return (
    <>
      <ItemList items={shown} />
      {rest.length > 0 && (
        <details className={classes.more}>
          <summary>{texts.lengthMore(rest.length)}</summary>
          <ItemList items={rest} />
        </details>
      )}
    </>
  );
}

function ItemList({ items }: { readonly items: readonly CartItem[] }) {
  return (
    <ul className={classes.list}>
      {items.map((item) => (
        <li key={item.strainId}>
          <span className="tabular">{item.quantity}</span> × <bdi>{item.strain.name}</bdi>
          <StockWarning item={item} />
        </li>
      ))}
    </ul>
  );
}

/** A cart reserves nothing, so its strains may be gone by now. */
function StockWarning({ item: { quantity, strain } }: { readonly item: CartItem }) {
  if (strain.isAvailable && quantity <= strain.stockQuantity) return null;
  return (
    <span className={classes.warning}>
      {strain.isAvailable ? (
        <StatusBadge state="LOW_STOCK" label={texts.onlyStockQuantityInStock(strain.stockQuantity)} />
      ) : (
        <StatusBadge state="OUT_OF_STOCK" label={texts.notAvailable} />
      )}
    </span>
  );
}
