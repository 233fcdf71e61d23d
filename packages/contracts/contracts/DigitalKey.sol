// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @notice The token that makes a wallet a holder.
contract DigitalKey is ERC721, Ownable {
    constructor() ERC721("Keyfront Digital Key", "KEY") Ownable(msg.sender) {}

    /// @dev Not `_safeMint`: a smart wallet receives its key whether or not it knows of ERC-721.
    function mint(address to, uint256 tokenId) external onlyOwner {
        _mint(to, tokenId);
    }
}
