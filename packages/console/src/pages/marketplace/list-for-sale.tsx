import type { NftSale } from '@keyfront/sdk';
import { Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { issuesByField } from '../../format/issues-by-field.ts';
import { pageSettings } from '../../page-settings.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { ownNfts } from '../../session/own-nfts.ts';
import { texts } from '../../texts/marketplace.ts';
import { StepText } from './step-text.tsx';
import { listSale } from './trade.ts';

/** Offers the primary digital key: makes a sale, and lets the wallet sign it. */
export function ListForSale() {
  const [isOpen, modal] = useDisclosure();
  const [step, setStep] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data } = useQuery(ownNfts);
  const primary = data?.nfts.find(({ isPrimary }) => isPrimary);
  const { data: newest } = useQuery({
    queryKey: ['nftSales', 'newest'],
    queryFn: ({ signal }) => getKeyfront().nftSales.list({ take: 1 }, { signal }),
  });
  // A digital key has one open sale at a time, which is its newest.
  const open = newest?.sales.find(isOpenSale);
  const list = useSingleMutation({
    mutationFn: async (price: string) =>
      listSale(await getKeyfront().nftSales.create({ tokenId: primary?.tokenId ?? 0, price }), setStep),
    onSuccess: async ({ tokenId }) => {
      modal.close();
      showSuccess(texts.digitalKeyTokenIdIsForSale(tokenId));
      await navigate({ to: '/marketplace', search: { tab: 'sales' } });
    },
    onSettled: () => {
      setStep(null);
      return Promise.all([
        queryClient.invalidateQueries({ queryKey: ['nftSales'] }),
        queryClient.invalidateQueries({ queryKey: ['listings'] }),
      ]);
    },
  });
  const { byField, hasOthers } = issuesByField(list.error, ['price']);
  return (
    <>
      {open ? (
        <Link to="/marketplace" search={{ tab: 'sales' }} className="link">
          {open.state === 'LISTED'
            ? texts.tokenIdIsForSale(open.tokenId)
            : texts.tokenIdHasDraft(open.tokenId)}
        </Link>
      ) : (
        <Button disabled={!primary} onClick={modal.open}>
          {texts.sell}
          {primary?.tokenId ?? '…'}
        </Button>
      )}
      <FormModal
        isOpen={isOpen}
        title={texts.sellDigitalKeyTokenId(primary?.tokenId ?? '')}
        onClose={modal.close}
        submitLabel={texts.signAndList}
        isPending={list.isPending}
        // A decimal comma is as good as a point.
        onSubmit={(form) =>
          list.mutate(
            String(form.get('price') ?? '')
              .trim()
              .replace(',', '.'),
          )
        }
      >
        {list.error && hasOthers && <ErrorNotice title={texts.digitalKeyIsNotForSale} error={list.error} />}
        <TextInput
          data-autofocus
          name="price"
          label={texts.priceInEth}
          placeholder="1.5"
          inputMode="decimal"
          required
          error={byField.get('price')}
        />
        <Text size="sm" c="dimmed">
          {pageSettings.marketplaceContract === null
            ? texts.yourWalletSignsOffer
            : texts.yourWalletSignsOfferBuyerPays}{' '}
          {texts.offerEndsAfter30Days}
        </Text>
        <StepText step={step} />
      </FormModal>
    </>
  );
}

/** Whether a sale keeps its digital key from being offered again. One that has ended does not, although nobody has closed it. */
function isOpenSale({ state, expiresAt }: NftSale): boolean {
  return (state === 'DRAFT' || state === 'LISTED') && Date.parse(expiresAt) > Date.now();
}
