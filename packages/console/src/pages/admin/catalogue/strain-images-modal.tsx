import type { Strain, StrainImage } from '@keyfront/sdk';
import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Icon } from '../../../components/icon.tsx';
import { ImageUpload } from '../../../components/image-upload.tsx';
import { Modal } from '../../../components/modal.tsx';
import { Picture } from '../../../components/picture.tsx';
import { showSuccess } from '../../../components/toasts.tsx';
import { useSingleMutation } from '../../../components/use-single-mutation.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-catalogue.ts';
import { moveItem } from './move-item.ts';
import classes from './strain-images-modal.module.css';

interface StrainImagesModalProps {
  readonly strain: Strain;
  readonly onClose: () => void;
}

/** As many as the service takes. */
const maxImages = 20;

/** Adds, orders and removes the images of a strain. Nothing is changed before it is saved. */
export function StrainImagesModal({ strain, onClose }: StrainImagesModalProps) {
  const [images, setImages] = useState<readonly StrainImage[]>(strain.strainImages);
  const queryClient = useQueryClient();
  const save = useSingleMutation({
    mutationFn: () => getKeyfront().admin.strains.update(strain.id, { strainImages: [...images] }),
    onSuccess: async () => {
      showSuccess(texts.imagesOfNameAreChanged(strain.name));
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['admin'] });
    },
  });
  const describe = (changed: number, altText: string) =>
    setImages(images.map((image, index) => (index === changed ? { ...image, altText } : image)));
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={
        <>
          {texts.imagesOf}
          <bdi>{strain.name}</bdi>
        </>
      }
    >
      <Stack>
        {save.error && <ErrorNotice title={texts.imagesWereNotChanged} error={save.error} />}
        {images.length === 0 && (
          <Text size="sm" c="dimmed">
            {texts.noImagesYetFirstOneIs}
          </Text>
        )}
        <ol className={classes.list} aria-label={texts.images}>
          {images.map(({ strainImageUrl, altText }, index) => (
            <li key={strainImageUrl} className={classes.image}>
              <Picture imageUrl={strainImageUrl} alt={altText} size={56} />
              <TextInput
                className={classes.text}
                label={texts.whatImageShows(index + 1)}
                value={altText}
                maxLength={500}
                onChange={({ currentTarget }) => describe(index, currentTarget.value)}
              />
              <Group gap={4} wrap="nowrap">
                <ImageAction
                  label={texts.moveImageUp(index + 1)}
                  icon="back"
                  isTurned
                  disabled={index === 0}
                  onClick={() => setImages(moveItem(images, index, index - 1))}
                />
                <ImageAction
                  label={texts.moveImageDown(index + 1)}
                  icon="next"
                  isTurned
                  disabled={index === images.length - 1}
                  onClick={() => setImages(moveItem(images, index, index + 1))}
                />
                <ImageAction
                  label={texts.removeImage(index + 1)}
                  icon="trash"
                  onClick={() => setImages(images.filter((_, each) => each !== index))}
                />
              </Group>
            </li>
          ))}
        </ol>
        <Group justify="space-between" align="flex-end">
          <ImageUpload
            label={texts.addImage}
            disabled={images.length >= maxImages}
            onUploaded={(strainImageUrl) => {
              // The same file has the same address.
              if (images.some((image) => image.strainImageUrl === strainImageUrl)) return;
              setImages([...images, { strainImageUrl, altText: strain.name }]);
            }}
          />
          <Group ml="auto">
            <Button variant="default" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button loading={save.isPending} onClick={() => save.mutate()}>
              {texts.save}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}

interface ImageActionProps {
  readonly label: string;
  readonly icon: 'back' | 'next' | 'trash';
  /** Whether the arrow points up or down instead of to a side. */
  readonly isTurned?: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

function ImageAction({ label, icon, isTurned = false, disabled = false, onClick }: ImageActionProps) {
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
      className={isTurned ? classes.turned : undefined}
    >
      <Icon name={icon} size={16} />
    </ActionIcon>
  );
}
