import { parseAbi } from 'viem';

/** The ABI of DigitalKey.sol. A test compares it with the output of the compiler. */
export const digitalKeyAbi = parseAbi([
  'constructor()',
  'function mint(address to, uint256 tokenId)',
  'function nonces(uint256 tokenId) view returns (uint256)',

  // ERC-721 and ERC-165
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function balanceOf(address owner) view returns (uint256)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function getApproved(uint256 tokenId) view returns (address)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
  'function approve(address to, uint256 tokenId)',
  'function setApprovalForAll(address operator, bool approved)',
  'function transferFrom(address from, address to, uint256 tokenId)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
  'function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
  'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
  'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error ERC721InvalidApprover(address approver)',
  'error ERC721InvalidOperator(address operator)',
  'error ERC721InvalidOwner(address owner)',
  'error ERC721InvalidReceiver(address receiver)',
  'error ERC721InvalidSender(address sender)',
  'error ERC721NonexistentToken(uint256 tokenId)',

  // Ownable: the owner of the contract, not of a token
  'function owner() view returns (address)',
  'function transferOwnership(address newOwner)',
  'function renounceOwnership()',
  'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
  'error OwnableInvalidOwner(address owner)',
  'error OwnableUnauthorizedAccount(address account)',
]);

/** The ABI of Marketplace.sol. A test compares it with the output of the compiler. */
export const marketplaceAbi = parseAbi([
  'struct Listing { bytes16 saleId; address owner; uint256 tokenId; uint256 nonce; uint256 price; uint256 expiry; }',
  'constructor(address token_)',
  'function token() view returns (address)',
  'function listings(address owner, uint256 tokenId, bytes16 saleId) view returns (bytes16 saleId, address owner, uint256 tokenId, uint256 nonce, uint256 price, uint256 expiry)',
  'function states(address owner, uint256 tokenId, bytes16 saleId) view returns (uint8)',
  'function list(Listing listing, bytes signature)',
  'function cancel(Listing listing)',
  'function cancelBySignature(Listing listing, bytes signature)',
  'function buy(address owner, uint256 tokenId, bytes16 saleId) payable',
  'event Listed(bytes16 indexed saleId, uint256 indexed tokenId, address indexed owner, uint256 price, uint256 expiry)',
  'event Cancelled(bytes16 indexed saleId, uint256 indexed tokenId, address indexed owner)',
  'event Sold(bytes16 indexed saleId, uint256 indexed tokenId, address indexed seller, address buyer, uint256 price)',
  'error AlreadyListed(bytes16 saleId)',
  'error AlreadyCancelled(bytes16 saleId)',
  'error AlreadySold(bytes16 saleId)',
  'error NotListed(bytes16 saleId)',
  'error ListingExpired(bytes16 saleId, uint256 expiry)',
  'error ListingDiffers(bytes16 saleId)',
  'error ListingOutdated(bytes16 saleId, uint256 nonce)',
  'error SignatureNotOfOwner(address owner)',
  'error CallerIsNotOwner(address caller, address owner)',
  'error TokenNotOwned(uint256 tokenId, address owner)',
  'error MarketplaceNotApproved(uint256 tokenId)',
  'error WrongPrice(uint256 sent, uint256 price)',
  'error PaymentRefused(address seller)',
  'error ReentrancyGuardReentrantCall()',

  // EIP-712 and ERC-5267
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
  'event EIP712DomainChanged()',
  'error InvalidShortString()',
  'error StringTooLong(string str)',
]);
