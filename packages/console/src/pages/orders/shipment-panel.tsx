import type { OrderDetails, Shipment } from '@keyfront/sdk';
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Moment } from '../../components/moment.tsx';
import { Panel } from '../../components/panel.tsx';
import { texts } from '../../texts/orders.ts';
import classes from './record-list.module.css';

interface ShipmentPanelProps {
  readonly order: Pick<OrderDetails, 'shipments' | 'orderLines'>;
  readonly aside?: ReactNode;
  /** What can be done about a shipment. */
  readonly actionOf?: (shipment: Shipment) => ReactNode;
}

/** The parcels of an order. */
export function ShipmentPanel({ order: { shipments, orderLines }, aside, actionOf }: ShipmentPanelProps) {
  const names = new Map(orderLines.map(({ id, strain }) => [id, strain.name]));
  return (
    <Panel title={texts.shipments} aside={aside} isFlush>
      {shipments.length === 0 && <p className={classes.nothing}>{texts.noParcelWasSent}</p>}
      <ul className={classes.list}>
        {shipments.map((shipment) => (
          <li key={shipment.id} className={classes.record}>
            <div className={classes.words}>
              <div>
                <bdi className={classes.title}>{shipment.carrier}</bdi> <Tracking {...shipment} />
              </div>
              <div className={classes.detail}>
                <Moment time={shipment.createdAt} /> ·{' '}
                {shipment.orderLines.map(({ id, quantity }, index) => (
                  <span key={id}>
                    {index > 0 && ', '}
                    {quantity} × <bdi>{names.get(id)}</bdi>
                  </span>
                ))}
              </div>
            </div>
            {actionOf && <div className={classes.end}>{actionOf(shipment)}</div>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Tracking({ trackingNumber, trackingUrl }: Pick<Shipment, 'trackingNumber' | 'trackingUrl'>) {
  if (trackingUrl === null) return <bdi>{trackingNumber}</bdi>;
  return (
    <Anchor href={trackingUrl} target="_blank" rel="noopener noreferrer" size="sm">
      <bdi>{trackingNumber || texts.followParcel}</bdi>
    </Anchor>
  );
}
