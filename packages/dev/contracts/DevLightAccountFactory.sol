// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {LibClone} from "solady/src/utils/LibClone.sol";
import {DevLightAccount} from "./DevLightAccount.sol";

/// Stands in for the Light Account v2.0.0 factory on the local chain: accounts get the same addresses as everywhere.
contract DevLightAccountFactory {
    address public constant ACCOUNT_IMPLEMENTATION = 0x8E8e658E22B12ada97B402fF0b044D6A325013C7;

    /// The owner's account of this salt, deployed unless it is there.
    function createAccount(address owner, uint256 salt) external returns (address account) {
        bool isThere;
        (isThere, account) = LibClone.createDeterministicERC1967(ACCOUNT_IMPLEMENTATION, combined(owner, salt));
        if (!isThere) DevLightAccount(payable(account)).initialize(owner);
    }

    function getAddress(address owner, uint256 salt) external view returns (address) {
        return LibClone.predictDeterministicAddressERC1967(
            ACCOUNT_IMPLEMENTATION, combined(owner, salt), address(this)
        );
    }

    function combined(address owner, uint256 salt) private pure returns (bytes32) {
        return keccak256(abi.encode(owner, salt));
    }
}
