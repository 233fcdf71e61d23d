import type { Client, NewClient } from '@keyfront/sdk';
import { Checkbox, SimpleGrid, TextInput, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CountrySelect } from '../../components/country-select.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormDrawer } from '../../components/form-drawer.tsx';
import { showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { issuesByField } from '../../format/issues-by-field.ts';
import { clearDraft } from '../../session/drafts.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/clients.ts';
import { clientFields, readClientForm } from './read-client-form.ts';

interface ClientFormDrawerProps {
  readonly isOpen: boolean;
  /** The client to change; none to add one. */
  readonly client?: Client;
  readonly onClose: () => void;
  readonly onSaved: (clientId: string) => void;
}

/** The name of the form that adds a client, or changes one. */
export const clientDraft = (clientId = 'new') => `client.${clientId}`;

/** Adds or changes a client. */
export function ClientFormDrawer({ isOpen, client, onClose, onSaved }: ClientFormDrawerProps) {
  const queryClient = useQueryClient();
  const draft = clientDraft(client?.id);
  const save = useSingleMutation({
    mutationFn: async (fields: NewClient) =>
      client ? getKeyfront().clients.update(client.id, fields) : getKeyfront().clients.create(fields),
    onSuccess: async ({ id }) => {
      clearDraft(draft);
      showSuccess(client ? texts.clientIsChanged : texts.clientIsAdded);
      await queryClient.invalidateQueries({ queryKey: ['clients'] });
      onClose();
      onSaved(id);
    },
  });
  const { byField, hasOthers } = issuesByField(save.error, clientFields);
  const field = (name: string, label: string, value: string | undefined, isRequired = false) => (
    <TextInput
      name={name}
      label={label}
      defaultValue={value ?? ''}
      required={isRequired}
      error={byField.get(name)}
      autoComplete="off"
    />
  );
  return (
    <FormDrawer
      title={client ? texts.editClient : texts.addClient}
      submitLabel={client ? texts.save : texts.addClientButton}
      draft={draft}
      isOpen={isOpen}
      isPending={save.isPending}
      onClose={onClose}
      onSubmit={(form) => save.mutate(readClientForm(form, client?.shippings ?? []))}
    >
      {save.error && hasOthers && <ErrorNotice title={texts.clientWasNotSaved} error={save.error} />}
      <SimpleGrid cols={2}>
        {field('firstName', texts.firstName, client?.firstName, true)}
        {field('lastName', texts.lastName, client?.lastName, true)}
      </SimpleGrid>
      {field('email', 'E-mail', client?.email, true)}
      <SimpleGrid cols={2}>
        {field('phoneCode', texts.callingCode, client?.phoneCode)}
        {field('contactNumber', texts.phoneNumber, client?.contactNumber)}
      </SimpleGrid>
      <Title order={3} size="h6" mt="sm">
        {texts.shippingAddress}
      </Title>
      {field('shipping.address1', texts.street, client?.shipping.address1)}
      {field('shipping.address2', texts.furtherLine, client?.shipping.address2)}
      <SimpleGrid cols={2}>
        {field('shipping.postalCode', texts.postalCode, client?.shipping.postalCode)}
        {field('shipping.city', texts.city, client?.shipping.city)}
        {field('shipping.state', texts.stateOrRegion, client?.shipping.state)}
        <CountrySelect
          name="shipping.countryCode"
          defaultValue={client?.shipping.countryCode}
          error={byField.get('shipping.countryCode')}
        />
      </SimpleGrid>
      {field('externalReference', texts.referenceInAnotherSystem, client?.externalReference)}
      <Checkbox
        name="marketingConsent"
        label={texts.agreesToReceiveMarketing}
        defaultChecked={client?.marketingConsent ?? false}
      />
    </FormDrawer>
  );
}
