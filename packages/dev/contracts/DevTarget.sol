// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

/// Something to call: counts, takes value, and fails in every way that a contract can.
contract DevTarget {
    error Refused(uint256 code);

    event Poked(address indexed from, uint256 value, uint256 count);

    uint256 public count;
    uint256 public gate;

    receive() external payable {}

    function poke() external payable {
        count += 1;
        emit Poked(msg.sender, msg.value, count);
    }

    function fail() external pure {
        revert("DevTarget: no");
    }

    function failCustom(uint256 code) external pure {
        revert Refused(code);
    }

    function failPanic() external pure {
        assert(false);
    }

    function failSilently() external pure {
        assembly {
            revert(0, 0)
        }
    }

    function setGate(uint256 value) external {
        gate = value;
    }

    /// Passes while simulated with an open gate, fails once somebody closed it.
    function failIfGated() external {
        if (gate != 0) revert("DevTarget: gated");
        count += 1;
    }

    function burnGas(uint256 amount) external {
        uint256 until = gasleft() - amount;
        while (gasleft() > until) gate = gasleft();
        gate = 0;
    }
}
