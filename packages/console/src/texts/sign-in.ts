/** What the pages say: sign-in. */
export const texts = {
  demoWalletsCouldNotBeLoaded: 'The demo wallets could not be loaded',
  noWalletWasFoundInThis: 'No wallet was found in this browser',
  installOneSuchAsMetaMaskOr: 'Install one, such as MetaMask or Rabby, and load this page again.',
  inThisBrowser: 'In this browser',
  installed: 'Installed',
  signInKeyfront: 'Sign in · Keyfront',
  signIn: 'Sign in',
  yourWalletSignsMessageThisCosts:
    'Your wallet signs a message. This costs nothing and sends no transaction.',
  yourSessionHasEndedSignIn: 'Your session has ended. Sign in again to go on where you were.',
  signInHasFailed: 'The sign-in has failed',
  signInAs: 'Sign in as',
  holder: 'Holder',
  administrator: 'Administrator',
  orUseDemoWallet: 'or use a demo wallet',
  openLinkThatServicePrintedAfter:
    'Ask whoever runs this service for the link to its console, or open the link that the service printed after ',
  console: 'Console',
  whenItStartedLinkIsAlso: ' when it started. The link is also in the file ',
  ofItsDataFolderAs: ' of its data folder, as ',
};
