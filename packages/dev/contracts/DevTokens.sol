// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {ERC721} from "solady/src/tokens/ERC721.sol";
import {ERC1155} from "solady/src/tokens/ERC1155.sol";

/// An ERC-20 that anybody may mint.
contract DevToken is ERC20 {
    function name() public pure override returns (string memory) {
        return "Dev Token";
    }

    function symbol() public pure override returns (string memory) {
        return "DEV";
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// An ERC-721 that anybody may mint.
contract DevNft is ERC721 {
    function name() public pure override returns (string memory) {
        return "Dev NFT";
    }

    function symbol() public pure override returns (string memory) {
        return "DNFT";
    }

    function tokenURI(uint256) public pure override returns (string memory) {
        return "";
    }

    function mint(address to, uint256 id) external {
        _mint(to, id);
    }
}

/// An ERC-1155 that anybody may mint.
contract DevMultiToken is ERC1155 {
    function uri(uint256) public pure override returns (string memory) {
        return "";
    }

    function mint(address to, uint256 id, uint256 amount) external {
        _mint(to, id, amount, "");
    }
}
