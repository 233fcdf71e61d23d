// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

/// @dev The functions of the token that the marketplace calls. DigitalKey.sol implements them.
interface ICountedERC721 is IERC721 {
    /// @dev Must grow whenever the token changes its owner.
    function nonces(uint256 tokenId) external view returns (uint256);
}

/// @notice Sells digital keys that their owners list by signature. A key stays with its owner until it is sold, and the
/// price goes directly to the seller. The contract never holds keys or ether.
contract Marketplace is EIP712, ReentrancyGuard {
    /// @dev A listing and its cancellation have the same fields and different EIP-712 type names. The signature of one
    /// is therefore invalid for the other.
    struct Listing {
        bytes16 saleId;
        address owner;
        uint256 tokenId;
        /// The nonce of the token. The listing is void as soon as the token changes its owner, even if it comes back.
        uint256 nonce;
        /// In wei.
        uint256 price;
        /// In Unix seconds. The listing and its signatures are valid up to and including this second.
        uint256 expiry;
    }

    enum State {
        Unknown,
        Listed,
        Cancelled,
        Sold
    }

    event Listed(
        bytes16 indexed saleId,
        uint256 indexed tokenId,
        address indexed owner,
        uint256 price,
        uint256 expiry
    );
    event Cancelled(bytes16 indexed saleId, uint256 indexed tokenId, address indexed owner);
    event Sold(
        bytes16 indexed saleId,
        uint256 indexed tokenId,
        address indexed seller,
        address buyer,
        uint256 price
    );

    error AlreadyListed(bytes16 saleId);
    error AlreadyCancelled(bytes16 saleId);
    error AlreadySold(bytes16 saleId);
    error NotListed(bytes16 saleId);
    error ListingExpired(bytes16 saleId, uint256 expiry);
    error ListingDiffers(bytes16 saleId);
    error ListingOutdated(bytes16 saleId, uint256 nonce);
    error SignatureNotOfOwner(address owner);
    error CallerIsNotOwner(address caller, address owner);
    error TokenNotOwned(uint256 tokenId, address owner);
    error MarketplaceNotApproved(uint256 tokenId);
    error WrongPrice(uint256 sent, uint256 price);
    error PaymentRefused(address seller);

    bytes32 private constant LISTING_TYPE =
        keccak256("Listing(bytes16 saleId,address owner,uint256 tokenId,uint256 nonce,uint256 price,uint256 expiry)");
    bytes32 private constant CANCELLATION_TYPE =
        keccak256("Cancellation(bytes16 saleId,address owner,uint256 tokenId,uint256 nonce,uint256 price,uint256 expiry)");

    ICountedERC721 public immutable token;

    /// @notice The listing of a sale. It remains after a cancellation or a sale.
    /// @dev A sale is identified by owner, token and id. Ids are public, so an id alone would belong to whoever uses it
    /// first: anyone could prevent or cancel the sale of another owner.
    mapping(address owner => mapping(uint256 tokenId => mapping(bytes16 saleId => Listing))) public listings;

    /// @notice The state of a sale.
    mapping(address owner => mapping(uint256 tokenId => mapping(bytes16 saleId => State))) public states;

    /// @dev Reverts for a token without nonces.
    constructor(address token_) EIP712("Keyfront Marketplace", "2") {
        token = ICountedERC721(token_);
        token.nonces(0);
    }

    /// @notice Lists a token with the owner's signature. Anyone can submit it.
    function list(Listing calldata listing, bytes calldata signature) external {
        State state = _requireOpen(listing.owner, listing.tokenId, listing.saleId);
        if (state == State.Listed) revert AlreadyListed(listing.saleId);
        _requireUnexpired(listing.saleId, listing.expiry);
        _requireSignature(LISTING_TYPE, listing, signature);
        _requireOwned(listing.tokenId, listing.owner);
        _requireCurrent(listing.saleId, listing.tokenId, listing.nonce);

        listings[listing.owner][listing.tokenId][listing.saleId] = listing;
        states[listing.owner][listing.tokenId][listing.saleId] = State.Listed;
        emit Listed(listing.saleId, listing.tokenId, listing.owner, listing.price, listing.expiry);
    }

    /// @notice Cancels a listing, even if it was signed but not submitted yet.
    function cancel(Listing calldata listing) external {
        if (msg.sender != listing.owner) revert CallerIsNotOwner(msg.sender, listing.owner);
        _cancel(listing);
    }

    /// @notice Cancels a listing with the owner's signature. Anyone can submit it.
    function cancelBySignature(Listing calldata listing, bytes calldata signature) external {
        _requireUnexpired(listing.saleId, listing.expiry);
        _requireSignature(CANCELLATION_TYPE, listing, signature);
        _cancel(listing);
    }

    /// @notice Buys the token of a sale for exactly its price.
    function buy(address owner, uint256 tokenId, bytes16 saleId) external payable nonReentrant {
        State state = _requireOpen(owner, tokenId, saleId);
        if (state != State.Listed) revert NotListed(saleId);
        Listing memory listing = listings[owner][tokenId][saleId];
        _requireUnexpired(saleId, listing.expiry);
        if (msg.value != listing.price) revert WrongPrice(msg.value, listing.price);
        _requireOwned(tokenId, owner);
        _requireCurrent(saleId, tokenId, listing.nonce);
        _requireApproved(tokenId, owner);

        // Update the state before the external calls, which run code of the buyer and the seller. The event comes first
        // as well, so that logs are in the order of execution.
        states[owner][tokenId][saleId] = State.Sold;
        emit Sold(saleId, tokenId, owner, msg.sender, listing.price);

        token.safeTransferFrom(owner, msg.sender, tokenId);
        (bool isPaid, ) = owner.call{value: listing.price}("");
        if (!isPaid) revert PaymentRefused(owner);
    }

    function _cancel(Listing calldata listing) private {
        State state = _requireOpen(listing.owner, listing.tokenId, listing.saleId);
        // The event must match the listing on the chain.
        if (
            state == State.Listed &&
            keccak256(abi.encode(listings[listing.owner][listing.tokenId][listing.saleId])) !=
            keccak256(abi.encode(listing))
        ) revert ListingDiffers(listing.saleId);

        states[listing.owner][listing.tokenId][listing.saleId] = State.Cancelled;
        emit Cancelled(listing.saleId, listing.tokenId, listing.owner);
    }

    /// @dev Cancelled and Sold are final. Returns Unknown or Listed.
    function _requireOpen(address owner, uint256 tokenId, bytes16 saleId) private view returns (State state) {
        state = states[owner][tokenId][saleId];
        if (state == State.Cancelled) revert AlreadyCancelled(saleId);
        if (state == State.Sold) revert AlreadySold(saleId);
    }

    function _requireUnexpired(bytes16 saleId, uint256 expiry) private view {
        if (block.timestamp > expiry) revert ListingExpired(saleId, expiry);
    }

    function _requireSignature(bytes32 messageType, Listing calldata listing, bytes calldata signature) private view {
        bytes32 digest = _hashTypedDataV4(keccak256(abi.encode(messageType, listing)));
        if (!SignatureChecker.isValidSignatureNowCalldata(listing.owner, digest, signature))
            revert SignatureNotOfOwner(listing.owner);
    }

    function _requireOwned(uint256 tokenId, address owner) private view {
        if (token.ownerOf(tokenId) != owner) revert TokenNotOwned(tokenId, owner);
    }

    /// @dev A token that has left its owner and come back has another nonce. The owner must sign again.
    function _requireCurrent(bytes16 saleId, uint256 tokenId, uint256 nonce) private view {
        if (token.nonces(tokenId) != nonce) revert ListingOutdated(saleId, nonce);
    }

    function _requireApproved(uint256 tokenId, address owner) private view {
        if (token.getApproved(tokenId) != address(this) && !token.isApprovedForAll(owner, address(this)))
            revert MarketplaceNotApproved(tokenId);
    }
}
