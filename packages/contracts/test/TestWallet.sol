// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @notice An insecure smart wallet that tests control.
contract TestWallet is IERC1271, IERC721Receiver {
    address private immutable signer;

    bool public refusesEther;
    bool public refusesTokens;

    /// @dev The call that the wallet makes when it first receives a token or ether, and its result.
    address private attackTarget;
    uint256 private attackValue;
    bytes private attack;
    bool public wasAttackTried;
    bool public didAttackSucceed;
    bytes public attackAnswer;

    constructor(address signer_) payable {
        signer = signer_;
    }

    function refuse(bool ether_, bool tokens) external {
        refusesEther = ether_;
        refusesTokens = tokens;
    }

    function prepareAttack(address target, uint256 value, bytes calldata data) external {
        attackTarget = target;
        attackValue = value;
        attack = data;
    }

    function execute(address target, uint256 value, bytes calldata data) external payable {
        (bool isDone, bytes memory answer) = target.call{value: value}(data);
        if (isDone) return;
        assembly {
            revert(add(answer, 0x20), mload(answer))
        }
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address recovered, ECDSA.RecoverError fault, ) = ECDSA.tryRecoverCalldata(hash, signature);
        bool isGood = fault == ECDSA.RecoverError.NoError && recovered == signer;
        return isGood ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    function onERC721Received(address, address, uint256, bytes calldata) external returns (bytes4) {
        _attack();
        return refusesTokens ? bytes4(0) : IERC721Receiver.onERC721Received.selector;
    }

    receive() external payable {
        require(!refusesEther, "no money, please");
        _attack();
    }

    function _attack() private {
        if (attackTarget == address(0) || wasAttackTried) return;
        wasAttackTried = true;
        (didAttackSucceed, attackAnswer) = attackTarget.call{value: attackValue}(attack);
    }
}
