//! Inner loops compiled for several sets of vector instructions, and the choice between them.
//!
//! Most loops are written once, plainly; on x86-64 they are compiled two times more, for AVX2 and for AVX-512, and which one
//! runs is decided when the program runs. Elsewhere, and without AVX2, the plain one runs.

use std::fmt;

/// Vector instructions that the processor was seen to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions(pub(super) Level);

/// Made by [`Instructions::all`] only, which asks the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// What every processor of the target has.
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// All that can be used here, the best last; never empty.
    pub fn all() -> Vec<Instructions> {
        let mut all = vec![Instructions(Level::Plain)];
        #[cfg(target_arch = "x86_64")]
        {
            macro_rules! has {
                ($($feature:tt)*) => { true $(&& is_x86_feature_detected!($feature))* };
            }
            if has!("avx2" "bmi1" "bmi2") {
                all.push(Instructions(Level::Avx2));
                if has!("avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vbmi") {
                    all.push(Instructions(Level::Avx512));
                }
            }
        }
        all
    }

    /// The best that can be used here.
    pub fn best() -> Instructions {
        Instructions::all().last().copied().unwrap_or(Instructions(Level::Plain))
    }
}

impl fmt::Display for Instructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Level::Plain => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "AVX-512",
        })
    }
}

/// Makes of a function with a plain loop one that takes the instructions to use before its arguments.
macro_rules! compiled {
    ($(#[$doc:meta])* fn $name:ident $(<const $w:ident: $of:ty>)? $(<type $t:ident: $bound:path>)? ($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? $body:block) => {
        $(#[$doc])*
        #[inline]
        pub(super) fn $name$(<const $w: $of>)?$(<$t: $bound>)?(set: $crate::instructions::Instructions, $($arg: $type),*) $(-> $out)? {
            use $crate::instructions::Level;

            #[inline(always)]
            fn plain$(<const $w: $of>)?$(<$t: $bound>)?($($arg: $type),*) $(-> $out)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2")]
            fn avx2$(<const $w: $of>)?$(<$t: $bound>)?($($arg: $type),*) $(-> $out)? {
                plain$(::<$w>)?$(::<$t>)?($($arg),*)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
            fn avx512$(<const $w: $of>)?$(<$t: $bound>)?($($arg: $type),*) $(-> $out)? {
                plain$(::<$w>)?$(::<$t>)?($($arg),*)
            }

            match set.0 {
                Level::Plain => plain$(::<$w>)?$(::<$t>)?($($arg),*),
                // SAFETY: `Instructions` of this level are made only when the processor has the features.
                #[cfg(target_arch = "x86_64")]
                #[allow(unsafe_code)]
                Level::Avx2 => unsafe { avx2$(::<$w>)?$(::<$t>)?($($arg),*) },
                // SAFETY: the same.
                #[cfg(target_arch = "x86_64")]
                #[allow(unsafe_code)]
                Level::Avx512 => unsafe { avx512$(::<$w>)?$(::<$t>)?($($arg),*) },
            }
        }
    };
}
pub(super) use compiled;
