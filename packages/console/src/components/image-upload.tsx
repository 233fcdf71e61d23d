import { Button, FileButton, Stack } from '@mantine/core';
import { getKeyfront } from '../session/keyfront.ts';
import { texts } from '../texts/components.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Icon } from './icon.tsx';
import { useSingleMutation } from './use-single-mutation.ts';

interface ImageUploadProps {
  readonly label: string;
  readonly disabled?: boolean;
  /** Called with the address that the service has given the image. */
  readonly onUploaded: (imageUrl: string) => void;
}

/** Stores an image with the service. */
export function ImageUpload({ label, disabled = false, onUploaded }: ImageUploadProps) {
  const upload = useSingleMutation({
    mutationFn: async (file: File) =>
      getKeyfront().admin.images.upload(new Uint8Array(await file.arrayBuffer())),
    onSuccess: ({ imageUrl }) => onUploaded(imageUrl),
  });
  return (
    <Stack gap="sm" align="flex-start">
      {upload.error && <ErrorNotice title={texts.imageWasNotStored} error={upload.error} />}
      <FileButton
        accept="image/png,image/jpeg,image/webp"
        onChange={(file) => {
          if (file) upload.mutate(file);
        }}
        inputProps={{ 'aria-label': label }}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            loading={upload.isPending}
            disabled={disabled}
          >
            {label}
          </Button>
        )}
      </FileButton>
    </Stack>
  );
}
