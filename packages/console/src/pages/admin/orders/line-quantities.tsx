import { TextInput } from '@mantine/core';
import { texts } from '../../../texts/admin-orders.ts';
import classes from './line-quantities.module.css';
import type { LineRest } from './order-rest.ts';

interface LineQuantitiesProps {
  /** What can be chosen. */
  readonly rest: readonly LineRest[];
  /** By the id of the line, as they were typed. */
  readonly quantities: Readonly<Record<string, string>>;
  readonly onChange: (quantities: Readonly<Record<string, string>>) => void;
}

/** How many units of each line. */
export function LineQuantities({ rest, quantities, onChange }: LineQuantitiesProps) {
  return (
    <ul className={classes.list}>
      {rest.map(({ line, quantity }) => (
        <li key={line.id} className={classes.line}>
          <span className={classes.name}>
            <bdi>{line.strain.name}</bdi>
          </span>
          <TextInput
            name={`quantity.${line.id}`}
            aria-label={texts.unitsOfName(line.strain.name)}
            inputMode="numeric"
            className={classes.quantity}
            value={quantities[line.id] ?? ''}
            onChange={({ currentTarget }) => onChange({ ...quantities, [line.id]: currentTarget.value })}
          />
          <span className={classes.most}>{texts.ofQuantity(quantity)}</span>
        </li>
      ))}
    </ul>
  );
}
