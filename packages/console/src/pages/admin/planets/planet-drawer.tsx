import type { Planet } from '@keyfront/sdk';
import { Group, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { FormDrawer } from '../../../components/form-drawer.tsx';
import { ImageUpload } from '../../../components/image-upload.tsx';
import { Picture } from '../../../components/picture.tsx';
import { showSuccess } from '../../../components/toasts.tsx';
import { useSingleMutation } from '../../../components/use-single-mutation.ts';
import { issuesByField } from '../../../format/issues-by-field.ts';
import { clearDraft } from '../../../session/drafts.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-planets.ts';

interface PlanetDrawerProps {
  /** Null for a new one. */
  readonly planet: Planet | null;
  readonly onClose: () => void;
}

/** Adds a planet or changes one. */
export function PlanetDrawer({ planet, onClose }: PlanetDrawerProps) {
  const queryClient = useQueryClient();
  const draft = `planet.${planet?.id ?? 'new'}`;
  const [imageUrl, setImageUrl] = useState(planet?.imageUrl ?? null);
  const save = useSingleMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string) => String(form.get(name) ?? '').trim();
      const fields = {
        name: text('name'),
        number: Number(text('number')),
        description: text('description'),
        ...(imageUrl !== null && imageUrl !== planet?.imageUrl ? { imageUrl } : {}),
      };
      const { planets } = getKeyfront().admin;
      return planet ? planets.update(planet.id, fields) : planets.create(fields);
    },
    onSuccess: async ({ name }) => {
      clearDraft(draft);
      showSuccess(planet ? texts.nameIsChanged(name) : texts.nameIsAdded(name));
      onClose();
      await Promise.all(
        ['planets', 'admin'].map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })),
      );
    },
  });
  const { byField } = issuesByField(save.error, ['name', 'number', 'description']);
  return (
    <FormDrawer
      title={
        planet ? (
          <>
            {texts.edit}
            <bdi>{planet.name}</bdi>
          </>
        ) : (
          texts.addPlanet
        )
      }
      submitLabel={planet ? texts.save : texts.addPlanetButton}
      draft={draft}
      isOpen
      isPending={save.isPending}
      onClose={onClose}
      onSubmit={save.mutate}
    >
      {save.error && <ErrorNotice title={texts.planetWasNotSaved} error={save.error} />}
      <TextInput
        name="name"
        label={texts.name}
        required
        maxLength={100}
        defaultValue={planet?.name}
        error={byField.get('name')}
      />
      <TextInput
        name="number"
        label={texts.number}
        required
        inputMode="numeric"
        pattern="[0-9]*"
        defaultValue={planet?.number}
        error={byField.get('number')}
      />
      <Textarea
        name="description"
        label={texts.description}
        autosize
        minRows={3}
        maxRows={8}
        maxLength={2000}
        defaultValue={planet?.description}
        error={byField.get('description')}
      />
      <Group align="center">
        <Picture imageUrl={imageUrl} alt={texts.imageOfPlanet} size={56} />
        <ImageUpload
          label={imageUrl === null ? texts.addImage : texts.replaceImage}
          onUploaded={setImageUrl}
        />
      </Group>
    </FormDrawer>
  );
}
