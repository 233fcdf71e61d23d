// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @notice An ERC-721 token. A wallet that owns one is a holder.
contract DigitalKey is ERC721, Ownable {
    /// @notice How often a token has changed its owner. The mint is the first change.
    /// @dev The same function as in ERC-4494. A signature that names the nonce is void as soon as the token moves.
    mapping(uint256 tokenId => uint256) public nonces;

    constructor() ERC721("Keyfront Digital Key", "KEY") Ownable(msg.sender) {}

    /// @dev `_safeMint` would revert for smart wallets that do not implement `IERC721Receiver`.
    function mint(address to, uint256 tokenId) external onlyOwner {
        _mint(to, tokenId);
    }

    /// @dev Every mint, transfer and burn passes here. A transfer to the owner itself changes nothing.
    function _update(address to, uint256 tokenId, address auth) internal override returns (address from) {
        from = super._update(to, tokenId, auth);
        if (from != to) ++nonces[tokenId];
    }
}
