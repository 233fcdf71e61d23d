import { Icon } from '../../components/icon.tsx';
import classes from './wallet-button.module.css';

interface WalletButtonProps {
  readonly name: string;
  readonly hint?: string;
  /** A data URL, as wallets announce it. */
  readonly iconUrl?: string | undefined;
  readonly isLoading?: boolean;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

/** One wallet to choose. */
export function WalletButton({ name, hint, iconUrl, isLoading, disabled, onClick }: WalletButtonProps) {
  return (
    <button type="button" className={`plain-button ${classes.button}`} disabled={disabled} onClick={onClick}>
      <span className={classes.icon}>
        {iconUrl?.startsWith('data:image/') ? (
          <img src={iconUrl} alt="" width={28} height={28} />
        ) : (
          <Icon name="wallet" size={20} />
        )}
      </span>
      <bdi className={classes.name}>{name}</bdi>
      {isLoading ? (
        <span className={classes.spinner} />
      ) : (
        hint && <span className={classes.hint}>{hint}</span>
      )}
    </button>
  );
}
