// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {ERC20} from "solady/src/tokens/ERC20.sol";

/// An ERC-20 that anybody may mint, whose transfers are authorized by signatures (EIP-3009), as dollars on public chains are.
contract DevDollar is ERC20 {
    bytes32 private constant TRANSFER_WITH_AUTHORIZATION = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    mapping(address => mapping(bytes32 => bool)) public authorizationState;

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    function name() public pure override returns (string memory) {
        return "Test Dollar";
    }

    function symbol() public pure override returns (string memory) {
        return "TUSD";
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function version() external pure returns (string memory) {
        return "2";
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp > validAfter && block.timestamp < validBefore, "time");
        require(!authorizationState[from][nonce], "used");
        bytes32 authorization =
            keccak256(abi.encode(TRANSFER_WITH_AUTHORIZATION, from, to, value, validAfter, validBefore, nonce));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), authorization));
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0) && signer == from, "signature");
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
        _transfer(from, to, value);
    }

    /// Of the domain; its name is the token's.
    function _versionHash() internal pure override returns (bytes32) {
        return keccak256("2");
    }
}
