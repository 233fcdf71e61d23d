import type { Sale, SaleStage } from '@keyfront/sdk';
import { Menu, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Icon } from '../../components/icon.tsx';
import { isFocusLost } from '../../components/is-focus-lost.ts';
import { Moment } from '../../components/moment.tsx';
import { texts } from '../../texts/sales.ts';
import { draggedSale } from './dragged-sale.ts';
import { nameSale } from './name-sale.ts';
import classes from './sale-card.module.css';
import { stageBeside, stages } from './stages.ts';

interface SaleCardProps {
  readonly sale: Sale;
  /** Whether it was the last one to be moved. It is then kept in view, and the focus follows it from one column to the other. */
  readonly isMoved: boolean;
  readonly onMove: (stage: SaleStage) => void;
}

/** One sale of the board. */
export function SaleCard({ sale, isMoved, onMove }: SaleCardProps) {
  const name = nameSale(sale);
  const card = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isMoved) return;
    if (hasLeftFocus(sale.id)) button.current?.focus({ preventScroll: true });
    card.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isMoved, sale.id]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key] as -1 | 1 | undefined;
    const stage = step && stageBeside(sale.stage, step);
    if (!stage) return;
    event.preventDefault();
    onMove(stage);
  };
  return (
    <article
      ref={card}
      className={classes.card}
      data-sale={sale.id}
      draggable
      onDragStart={(event) => {
        draggedSale.current = sale;
        event.dataTransfer.effectAllowed = 'move';
        // Firefox drags nothing without data.
        event.dataTransfer.setData('text/plain', sale.id);
      }}
      onDragEnd={() => {
        draggedSale.current = null;
      }}
    >
      <div className={classes.head}>
        <span className={classes.name}>
          {sale.client ? (
            <Link to="/clients/$clientId" params={{ clientId: sale.client.id }}>
              <bdi>{name}</bdi>
            </Link>
          ) : (
            name
          )}
        </span>
        <Menu position="bottom-end">
          <Menu.Target>
            <UnstyledButton
              ref={button}
              className={classes.move}
              aria-label={texts.moveSaleOfName(name)}
              onKeyDown={onKeyDown}
            >
              <Icon name="sales" size={15} />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {(Object.keys(stages) as SaleStage[])
              .filter((stage) => stage !== sale.stage)
              .map((stage) => (
                <Menu.Item key={stage} onClick={() => onMove(stage)}>
                  {texts.moveToTitle(stages[stage].title)}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
      </div>
      {sale.description && <p className={classes.description}>{sale.description}</p>}
      <div className={classes.foot}>
        <Moment time={sale.updatedAt} isRelative />
        {sale.orderId && (
          <Link to="/orders/$orderId" params={{ orderId: sale.orderId }}>
            {texts.order}
          </Link>
        )}
      </div>
    </article>
  );
}

/** Whether the focus was on the card in the column that it has left, or in its menu. It must not be taken from anything else. */
function hasLeftFocus(saleId: string): boolean {
  const element = document.activeElement;
  return (
    isFocusLost() ||
    element?.closest('[role="menu"]') != null ||
    element?.closest<HTMLElement>('[data-sale]')?.dataset.sale === saleId
  );
}
