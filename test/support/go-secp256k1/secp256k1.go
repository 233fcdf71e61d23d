// Package secp256k1 stands in for Decred's module where the network is out of reach. It has what the Go program of
// the signing guide calls, and is neither fast nor safe against observers of its timing.
package secp256k1

import "math/big"

// PrivateKey is a number between zero and the order of the curve.
type PrivateKey struct {
	D *big.Int
}

// PrivKeyFromBytes reads the 32 bytes of a private key.
func PrivKeyFromBytes(key []byte) *PrivateKey {
	return &PrivateKey{new(big.Int).SetBytes(key)}
}

func number(hex string) *big.Int {
	value, _ := new(big.Int).SetString(hex, 16)
	return value
}

var (
	prime = number("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFFC2F")
	baseX = number("79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798")
	baseY = number("483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8")

	// Order is the number of points on the curve.
	Order = number("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141")
)

// A point on the curve; nil is the one at infinity.
type point struct {
	x, y *big.Int
}

func add(a, b *point) *point {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	top, bottom := new(big.Int).Sub(b.y, a.y), new(big.Int).Sub(b.x, a.x)
	if bottom.Sign() == 0 {
		if a.y.Cmp(b.y) != 0 {
			return nil
		}
		top.Mul(a.x, a.x).Mul(top, big.NewInt(3))
		bottom.Lsh(a.y, 1)
	}
	slope := new(big.Int).ModInverse(bottom.Mod(bottom, prime), prime)
	slope.Mul(slope, top).Mod(slope, prime)
	x := new(big.Int).Mul(slope, slope)
	x.Sub(x, a.x).Sub(x, b.x).Mod(x, prime)
	y := new(big.Int).Sub(a.x, x)
	y.Mul(y, slope).Sub(y, a.y).Mod(y, prime)
	return &point{x, y}
}

// BaseMultX is the x coordinate of a multiple of the generator.
func BaseMultX(scalar *big.Int) *big.Int {
	var sum *point
	for bit, power := 0, (&point{baseX, baseY}); bit < scalar.BitLen(); bit, power = bit+1, add(power, power) {
		if scalar.Bit(bit) == 1 {
			sum = add(sum, power)
		}
	}
	return sum.x
}
