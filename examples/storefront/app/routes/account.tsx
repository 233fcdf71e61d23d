import { Form, Link } from 'react-router';
import { LiveUpdates } from '../components/live-updates.tsx';
import { requireClient } from '../customer.server.ts';
import type { Route } from './+types/account';

export const meta: Route.MetaFunction = () => [{ title: 'Your account' }];

export async function loader({ request }: Route.LoaderArgs) {
  const { client } = await requireClient(request);
  const { firstName, lastName, email, kycStatus, adminApproval, shipping } = client;
  return {
    ...{ email, kycStatus, adminApproval, name: `${firstName} ${lastName}` },
    address: `${shipping.address1}, ${shipping.postalCode} ${shipping.city}, ${shipping.country}`,
  };
}

const checkTexts = {
  PENDING: 'Not done yet',
  PROCESSING: 'The provider is still checking',
  VERIFIED: 'Passed',
  REJECTED: 'Rejected. You can try again',
};

const approvalTexts = {
  PENDING: 'We look at your registration. This page changes by itself.',
  VERIFIED: 'You can order',
  REJECTED: 'We cannot sell to you',
};

export default function Account({ loaderData }: Route.ComponentProps) {
  const { name, email, address, kycStatus, adminApproval } = loaderData;
  return (
    <>
      <LiveUpdates />
      <h1>Your account</h1>
      <dl className="facts">
        <dt>Name</dt>
        <dd>{name}</dd>
        <dt>E-mail</dt>
        <dd>{email}</dd>
        <dt>Address</dt>
        <dd>{address}</dd>
        <dt>Identity check</dt>
        <dd>
          <span role="status">{checkTexts[kycStatus]}</span>
        </dd>
        <dt>Approval</dt>
        <dd>
          <span role="status">{approvalTexts[adminApproval]}</span>
        </dd>
      </dl>
      <div className="row">
        {kycStatus !== 'VERIFIED' && (
          <Form method="post" action="/account/verify">
            <button type="submit" className="primary">
              Prove your identity
            </button>
          </Form>
        )}
        <Link className="button" to="/orders">
          Your orders
        </Link>
        <Link className="button danger" to="/account/erase">
          Erase my data
        </Link>
        <Form method="post" action="/sign-out">
          <button type="submit">Sign out</button>
        </Form>
      </div>
    </>
  );
}
