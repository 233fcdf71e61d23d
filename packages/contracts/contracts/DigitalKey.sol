// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @notice An ERC-721 token. A wallet that owns one is a holder.
contract DigitalKey is ERC721, Ownable {
    constructor() ERC721("Keyfront Digital Key", "KEY") Ownable(msg.sender) {}

    /// @dev `_safeMint` would revert for smart wallets that do not implement `IERC721Receiver`.
    function mint(address to, uint256 tokenId) external onlyOwner {
        _mint(to, tokenId);
    }
}
