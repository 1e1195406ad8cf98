// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

/// A price feed with the interface of a Chainlink aggregator, which anybody may set.
contract DevPriceFeed {
    uint8 public decimals = 8;
    int256 private answer;
    uint256 private updatedAt;

    /// A time of 0 stands for "always now".
    function set(int256 newAnswer, uint256 newUpdatedAt) external {
        answer = newAnswer;
        updatedAt = newUpdatedAt;
    }

    function setDecimals(uint8 newDecimals) external {
        decimals = newDecimals;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        uint256 time = updatedAt == 0 ? block.timestamp : updatedAt;
        return (1, answer, time, time, 1);
    }
}
