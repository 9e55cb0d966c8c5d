//! Numbers, exact reals.

use super::{bag, big, code, i, list, pairs, phi, shown, t};
use grundy::model::BinaryOp;
use grundy::model::CompareOp;
use grundy::model::builtin::Builtin as B;
use grundy::value::Value;
use grundy::words::binary;
use grundy::words::call;
use grundy::words::compare;
use grundy::words::negate;
use num_bigint::BigInt;

#[test]
fn words_about_numbers() {
    assert_eq!(shown(B::Min, &[i(3), i(-1), i(2)]), "-1");
    assert_eq!(shown(B::Max, &[list(&[3, 7])]), "7");
    assert_eq!(shown(B::Max, &[t("hello")]), "o");
    assert_eq!(shown(B::Min, &[pairs(&[(1, 2), (1, 1)])]), "(1, 1)");
    assert_eq!(shown(B::Min, &[list(&[])]), "R02");
    assert_eq!(shown(B::Gcd, &[i(0), i(-12), i(18)]), "6");
    assert_eq!(shown(B::Gcd, &[list(&[])]), "0");
    assert_eq!(shown(B::Gcd, &[i(i64::MIN), i(i64::MIN)]), "9223372036854775808");
    assert_eq!(shown(B::Lcm, &[list(&[4, 6])]), "12");
    assert_eq!(shown(B::Lcm, &[list(&[])]), "1");
    assert_eq!(shown(B::Abs, &[i(i64::MIN)]), "9223372036854775808");
    assert_eq!(shown(B::Sign, &[big("-100000000000000000000")]), "-1");
    assert_eq!(shown(B::Divisors, &[i(12)]), "[1, 2, 3, 4, 6, 12]");
    assert_eq!(shown(B::Divisors, &[i(0)]), "R01");
    assert_eq!(shown(B::Primes, &[i(30)]), "[2, 3, 5, 7, 11, 13, 17, 19, 23, 29]");
    assert_eq!(shown(B::Primes, &[i(1)]), "[]");
    assert_eq!(shown(B::PrimeFactors, &[i(12)]), "[2, 2, 3]");
    assert_eq!(shown(B::PrimeFactors, &[big("100000000000000000000")]).len(), 120);
    assert_eq!(shown(B::Valuation, &[i(40), i(2)]), "3");
    assert_eq!(shown(B::Valuation, &[i(40), i(10)]), "1");
    assert_eq!(shown(B::Digits, &[i(120)]), "[0, 2, 1]");
    assert_eq!(shown(B::Digits, &[i(0)]), "[]");
    assert_eq!(shown(B::Digits, &[i(5), i(1)]), "R01");
    assert_eq!(shown(B::Digits, &[big("18446744073709551616"), i(1 << 32)]), "[0, 0, 1]");
    assert_eq!(shown(B::Bits, &[i(8)]), "4");
    assert_eq!(shown(B::Bit, &[i(8), i(3)]), "true");
    assert_eq!(shown(B::Bit, &[i(8), big("100000000000000000000")]), "false");
    assert_eq!(shown(B::Mex, &[bag(&[0, 1, 1, 3])]), "2");
    assert_eq!(shown(B::Mex, &[Value::Range(0, 1 << 60)]), "1152921504606846977");
    assert_eq!(shown(B::Zeckendorf, &[i(100)]), "[89, 8, 3]");
    assert_eq!(shown(B::Zeckendorf, &[i(0)]), "[]");
    assert_eq!(shown(B::NimProduct, &[i(16), i(16)]), "24");
    assert_eq!(shown(B::NimProduct, &[i(5), big("18446744073709551616")]), "R06");
    assert_eq!(shown(B::Sum, &[Value::Range(-3, 1 << 62)]), "10633823966279326985536299491456450554");
    assert_eq!(shown(B::Sum, &[list(&[i64::MAX, i64::MAX])]), "18446744073709551614");
    assert_eq!(shown(B::Product, &[Value::Range(1, 1 << 60)]), "R06");
    assert_eq!(shown(B::Product, &[Value::Range(-5, 1 << 60)]), "0");
}

#[test]
fn zeckendorf_of_all_sizes() {
    for n in (0..2000_u64).chain([u64::MAX, u64::MAX - 1, 12_200_160_415_121_876_738]) {
        let value = Value::int(BigInt::from(n));
        let parts = call(B::Zeckendorf, &[value.clone()]).unwrap();
        assert_eq!(call(B::Sum, &[parts.clone()]).unwrap(), value);
        let reversed = call(B::Reverse, &[parts]).unwrap();
        assert_eq!(call(B::Increasing, &[reversed]).unwrap(), Value::Bool(true));
    }
    let huge = big(&"7".repeat(100));
    assert_eq!(call(B::Sum, &[call(B::Zeckendorf, &[huge.clone()]).unwrap()]).unwrap(), huge);
}

fn floor_of(k: &Value) -> Value {
    static PHI: std::sync::LazyLock<Value> = std::sync::LazyLock::new(phi);
    call(B::Floor, &[binary(BinaryOp::Mul, k, &PHI).unwrap()]).unwrap()
}

#[test]
fn exact_reals() {
    let phi = phi();
    assert_eq!(phi.to_string(), "(1 + sqrt(5)) / 2");
    let square = binary(BinaryOp::Mul, &phi, &phi).unwrap();
    assert_eq!(square, binary(BinaryOp::Add, &phi, &i(1)).unwrap());
    assert_eq!(binary(BinaryOp::Pow, &phi, &i(2)).unwrap(), square);
    let inverse = binary(BinaryOp::Over, &i(1), &phi).unwrap();
    assert_eq!(binary(BinaryOp::Sub, &phi, &inverse).unwrap(), i(1));
    for k in 0..100_000_i128 {
        let expected = (k + i128::try_from((5 * k * k).unsigned_abs().isqrt()).unwrap()).div_euclid(2);
        assert_eq!(floor_of(&Value::wide(k)), Value::wide(expected));
        if k > 0 && k < 2000 {
            assert_eq!(floor_of(&Value::wide(-k)), Value::wide(-expected - 1));
        }
    }
    assert_eq!(floor_of(&i(10_i64.pow(18))).to_string(), "1618033988749894848");
    assert_eq!(floor_of(&big(&format!("1{}", "0".repeat(30)))).to_string(), "1618033988749894848204586834365");
    assert_eq!(shown(B::Sqrt, &[i(49)]), "7");
    assert_eq!(shown(B::Sqrt, &[i(48)]), "4 * sqrt(3)");
    assert_eq!(shown(B::Sqrt, &[i(-1)]), "R01");
    assert_eq!(shown(B::Sqrt, &[binary(BinaryOp::Over, &i(3), &i(4)).unwrap()]), "sqrt(3) / 2");
    assert_eq!(shown(B::Sqrt, &[i(4_611_686_014_132_420_609)]), "2147483647");
    assert_eq!(shown(B::Sqrt, &[i(2 * 2_000_003 * 2_000_003)]), "2000003 * sqrt(2)");
    let (two, three) = (call(B::Sqrt, &[i(2)]).unwrap(), call(B::Sqrt, &[i(3)]).unwrap());
    assert_eq!(code(binary(BinaryOp::Add, &two, &three)), "R01");
    assert_eq!(binary(BinaryOp::Mul, &two, &three).unwrap().to_string(), "sqrt(6)");
    assert!(compare(CompareOp::Lt, &two, &three).unwrap());
    assert_eq!(call(B::Ceil, &[two.clone()]).unwrap(), i(2));
    assert_eq!(call(B::Floor, &[negate(&two).unwrap()]).unwrap(), i(-2));
    assert_eq!(code(binary(BinaryOp::Over, &i(1), &i(0))), "R03");
    assert_eq!(binary(BinaryOp::Over, &i(7), &i(-2)).unwrap().to_string(), "-7 / 2");
    assert_eq!(code(binary(BinaryOp::Pow, &two, &i(1_000_000_000_000))), "R06");
}

#[test]
fn square_free_parts() {
    for n in 1..3000_i64 {
        let root = call(B::Sqrt, &[i(n)]).unwrap();
        assert_eq!(binary(BinaryOp::Mul, &root, &root).unwrap(), i(n));
        if let Value::Real(surd) = root {
            let c = i64::try_from(&surd.c).unwrap();
            assert!((2..=c).take_while(|d| d * d <= c).all(|d| c % (d * d) != 0));
        }
    }
}
