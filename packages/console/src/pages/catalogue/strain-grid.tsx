import type { Strain } from '@keyfront/sdk';
import { Picture } from '../../components/picture.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatMoney } from '../../format/format-money.ts';
import { formatNumber } from '../../format/format-number.ts';
import { texts } from '../../texts/catalogue.ts';
import classes from './strain-grid.module.css';

const fewUnits = 10;

/** Strains with picture, price and stock. */
export function StrainGrid({ strains }: { readonly strains: readonly Strain[] | undefined }) {
  return (
    <ul className={classes.grid} aria-busy={strains === undefined}>
      {strains?.map((strain) => (
        <li key={strain.id} className={classes.card}>
          <Picture imageUrl={strain.imageUrl} alt="" size={88} />
          <div className={classes.words}>
            <bdi className={classes.name}>{strain.name}</bdi>
            <span className={classes.kind}>
              {strain.type.toLowerCase()} · <bdi>{strain.planet.name}</bdi>
            </span>
            <span className={classes.kind}>{texts.thcThcCbdCbd(strain.thc, strain.cbd)}</span>
            <span className={classes.foot}>
              <strong className="tabular">{formatMoney(strain.retailPrice, strain.currency)}</strong>
              <StatusBadge state={stockState(strain)} label={stockLabel(strain)} />
            </span>
          </div>
        </li>
      ))}
      {!strains &&
        Array.from({ length: 12 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: these cards have nothing else, and never move.
          <Skeleton key={index} component="li" height={122} />
        ))}
    </ul>
  );
}

function stockState({ isAvailable, stockQuantity }: Strain): string {
  if (!isAvailable) return 'OUT_OF_STOCK';
  return stockQuantity < fewUnits ? 'LOW_STOCK' : 'IN_STOCK';
}

function stockLabel({ isActive, isAvailable, stockQuantity }: Strain): string {
  if (stockQuantity === 0 && isActive) return texts.outOfStock;
  return !isAvailable ? texts.notAvailable : texts.stockQuantityInStock(formatNumber(stockQuantity));
}
