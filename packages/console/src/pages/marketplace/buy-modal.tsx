import type { NftListing } from '@keyfront/sdk';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FactList } from '../../components/fact-list.tsx';
import { Modal } from '../../components/modal.tsx';
import { Moment } from '../../components/moment.tsx';
import { showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { shortAddress } from '../../format/short-address.ts';
import { texts } from '../../texts/marketplace.ts';
import { StepText } from './step-text.tsx';
import { buyListing } from './trade.ts';

interface BuyModalProps {
  readonly listing: NftListing;
  readonly onClose: () => void;
}

/** Buys a digital key with a transaction of the wallet. */
export function BuyModal({ listing, onClose }: BuyModalProps) {
  const { tokenId, planet, price, currency, seller, expiresAt } = listing;
  const [step, setStep] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const buy = useSingleMutation({
    mutationFn: () => buyListing(listing, setStep),
    onSuccess: async () => {
      onClose();
      showSuccess(texts.digitalKeyTokenIdIsYours(tokenId));
      await navigate({ to: '/marketplace', search: { tab: 'transactions' } });
    },
    onSettled: () => {
      setStep(null);
      const nouns = ['listings', 'holder', 'transactions', 'nftSales'];
      return Promise.all(nouns.map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })));
    },
  });
  return (
    <Modal
      opened
      // A transaction that was sent cannot be taken back by closing the dialog.
      onClose={buy.isPending ? () => undefined : onClose}
      title={texts.buyDigitalKeyTokenId(tokenId)}
    >
      <Stack>
        {buy.error && <ErrorNotice title={texts.digitalKeyWasNotBought} error={buy.error} />}
        <FactList
          facts={{
            Planet: planet.name,
            Price: `${price} ${currency}`,
            Seller: <span title={seller}>{shortAddress(seller)}</span>,
            'Offer ends': <Moment time={expiresAt} />,
          }}
        />
        <Text size="sm" c="dimmed">
          {texts.yourWalletPaysContractWhichSends}
        </Text>
        <StepText step={step} />
        <Group justify="flex-end">
          <Button variant="default" disabled={buy.isPending} onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button data-autofocus loading={buy.isPending} onClick={() => buy.mutate()}>
            {texts.buyForPriceCurrency(price, currency)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
